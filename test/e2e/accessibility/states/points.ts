// Devices, their points and histories, the data service and reports.
import type { Page } from 'playwright-core'
import { deviceOf, devicePath, historyPath, pointOf } from '../../../support/browser/data-screens.ts'
import { choose, NARROW, NORTHWIND, press, type State, type States, WIDE } from '../state.ts'

const THREE = ['Supply Air Temp', 'Return Air Temp', 'Supply Fan Command']

export const devices: States = (portal) => {
  const device = deviceOf(portal, 'airHandler')
  const shown = deviceOf(portal, 'usageWarning')
  const menu = `Actions for ${shown.deviceName}`
  const dialogs = ['Edit Details', 'Change Project', 'Re-registration', 'Usage Metrics', 'Delete Device'].map(
    (item): State => ({
      name: item,
      path: devicePath(shown),
      open: async (page) => {
        await choose(page, menu, item)
        const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
        await dialog.waitFor()
        if (item === 'Usage Metrics') await dialog.getByRole('figure').waitFor()
      }
    })
  )
  return [
    { name: 'the menu of a device', path: devicePath(shown), open: (page) => press(page, menu) },
    ...dialogs,
    {
      name: 'the facts of a device',
      path: devicePath(shown),
      open: (page) => page.getByText('About this device').click(),
      at: NARROW
    },
    ...[WIDE, NARROW].map((at) => ({
      name: `chosen points at ${at}`,
      path: devicePath(device),
      open: async (page: Page) => {
        await page.getByRole('checkbox', { name: /^Select Cooling Valve/ }).check()
        // All of the page is in sight: the bar of the chosen points is in its place, and not over the half of a row.
        await page.setViewportSize({ width: at[0] ?? 0, height: 6_000 })
      },
      at
    })),
    {
      name: 'writing',
      path: devicePath(device),
      open: async (page) => {
        await choose(page, 'Actions for Cooling Valve', 'Write')
        await page.getByLabel('New value').fill('1')
      }
    },
    {
      name: 'filters',
      path: devicePath(device, '&type=Numeric&writable=yes'),
      open: (page) => press(page, /^Status/),
      at: WIDE
    },
    {
      name: 'the sheet of filters',
      path: devicePath(device, '&type=Numeric&writable=yes'),
      open: async (page) => {
        await page.getByText(/^1–\d+ of/).waitFor()
        await press(page, /^Filter and sort/)
        await press(page, /^Status/)
      },
      at: NARROW
    },
    {
      name: 'no points match words',
      path: devicePath(device, '&q=nothing'),
      open: (page) => page.getByRole('heading', { name: /^No points match/ }).waitFor()
    },
    {
      name: 'no points match filters',
      path: devicePath(device, '&type=String&writable=yes'),
      open: (page) => page.getByRole('heading', { name: 'No points match these filters' }).waitFor()
    }
  ]
}

export const data: States = (portal) => {
  const device = deviceOf(portal, 'airHandler')
  const { displayName, cloudId } = pointOf(device, 'Supply Air Temp')
  // There are weeks in which the device has no alarm of its own.
  const message = 'Supply air temperature is above its high limit'
  portal.sandbox.state.addedAlarms.add({
    uuid: `${device.deviceUuid.slice(0, 24)}000000000001`,
    device,
    definition: { source: displayName, state: 'offnormal', alarmClass: 'HVAC', priority: 100, message },
    startMs: Date.now() - 60_000,
    endMs: Date.now() + 86_400_000,
    acknowledgedMs: null,
    seed: 1
  })
  const used = (['usageWarning', 'usageExceeded', 'airHandler', 'withoutServices'] as const).map(
    (name) => deviceOf(portal, name).deviceUuid
  )
  const history = historyPath(device, THREE, '&range=Yesterday&compare=1')
  return [
    {
      name: 'alarms of a point',
      path: `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${cloudId}`,
      open: (page) => page.getByRole('link', { name: message }).first().waitFor()
    },
    {
      name: 'found points',
      path: `${NORTHWIND}/dataservice?deviceUuid=${device.deviceUuid}&terms=temp&in=tagValues`,
      open: (page) =>
        page
          .getByRole('region', { name: 'Results' })
          .getByText(/^1–\d+ of/)
          .first()
          .waitFor()
    },
    {
      name: 'usage',
      path: `${NORTHWIND}/dataservice?devices=${used.join()}`,
      open: async (page) => {
        const closed = page.getByRole('button', { name: 'Show data usage' })
        await closed.or(page.getByRole('button', { name: 'Hide data usage' })).waitFor()
        if (await closed.isVisible()) await closed.click()
        await page.getByText(/^Usage Limit Exceeded/).waitFor()
        await press(page, /^Show (?:monthly|yearly) usage/)
        await page.getByRole('figure').waitFor()
      }
    },
    {
      name: 'a history without points',
      path: `${NORTHWIND}/devicedetails/history`,
      open: (page) => page.getByText('Choose up to 10 points').waitFor()
    },
    {
      name: 'a chart',
      path: history,
      open: async (page) => {
        await page
          .getByRole('figure', { name: /^Chart of/ })
          .first()
          .waitFor()
        await page.getByRole('tab', { name: 'Summary' }).waitFor()
      }
    },
    {
      name: 'the data of a chart',
      path: `${history}&tab=data`,
      open: (page) => page.getByRole('table', { name: /^Records/ }).waitFor()
    },
    {
      name: 'choosing points',
      path: history,
      open: async (page) => {
        await press(page, /^Points \(3/)
        await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
      },
      at: NARROW
    },
    { name: 'saving a report', path: history, open: (page) => press(page, 'Save as report') },
    {
      name: 'no reports match',
      path: '/reports?q=zebra&kind=fixed',
      open: (page) => page.getByRole('heading', { name: 'No reports match' }).waitFor()
    }
  ]
}
