import { choose } from '../../../support/browser/browser.ts'
import {
  deviceOf,
  devicePath,
  historyPath,
  pointOf,
  raiseAlarm
} from '../../../support/browser/data-screens.ts'
import { NARROW, NORTHWIND, press, type State, type States, unroll } from '../state.ts'

const POINT_NAMES = ['Supply Air Temp', 'Return Air Temp', 'Supply Fan Command']

export const devices: States = (portal) => {
  const device = deviceOf(portal, 'airHandler')
  const { cloudId } = pointOf(device, 'Cooling Valve')
  // An override can only be cleared where there is one.
  portal.sandbox.state.pointWrites.set(cloudId, [{ fromMs: Date.now() - 60_000, value: 1 }])
  return [
    {
      name: 'selected points',
      path: devicePath(device),
      open: async (page) => {
        await page.getByRole('checkbox', { name: /^Select Cooling Valve/ }).check()
        await unroll(page)
      },
      at: NARROW
    },
    {
      name: 'writing',
      path: devicePath(device),
      open: async (page) => {
        await choose(page, 'Actions for Cooling Valve', 'Write')
        await page.getByLabel('New value').fill('1')
      }
    },
    ...[/^Write$/, /^Clear override$/].map(
      (item): State => ({
        name: `${item} on a phone`,
        path: devicePath(device),
        open: async (page) => {
          await press(page, 'Details of Cooling Valve')
          await press(page, item)
          await page.locator('dialog').nth(1).waitFor()
        },
        at: NARROW
      })
    ),
    {
      name: 'the sheet of filters',
      path: devicePath(device, '&type=Numeric&writable=yes'),
      open: async (page) => {
        await page.getByText(/^1–\d+ of/).waitFor()
        await press(page, /^Filter and sort/)
        await press(page, /^Status/)
      },
      at: NARROW
    }
  ]
}

export const data: States = (portal) => {
  const device = deviceOf(portal, 'airHandler')
  const valve = pointOf(device, 'Cooling Valve')
  portal.sandbox.state.pointWrites.set(valve.cloudId, [{ fromMs: Date.now() - 60_000, value: 1 }])
  const { displayName, cloudId } = pointOf(device, 'Supply Air Temp')
  // In some weeks the device has no alarm of its own.
  const message = 'Supply air temperature is above its high limit'
  raiseAlarm(portal, device, displayName, message)
  const deviceUuids = (['usageWarning', 'usageExceeded', 'airHandler', 'withoutServices'] as const).map(
    (name) => deviceOf(portal, name).deviceUuid
  )
  const history = historyPath(device, POINT_NAMES, '&range=Yesterday&compare=1')
  return [
    {
      name: 'alarms of a point',
      path: `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${cloudId}`,
      open: (page) => page.getByRole('link', { name: message }).first().waitFor()
    },
    {
      name: 'points found by a search',
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
      path: `${NORTHWIND}/dataservice?devices=${deviceUuids.join()}`,
      open: async (page) => {
        const showButton = page.getByRole('button', { name: 'Show data usage' })
        await showButton.or(page.getByRole('button', { name: 'Hide data usage' })).waitFor()
        if (await showButton.isVisible()) await showButton.click()
        await page.getByText(/^Usage Limit Exceeded/).waitFor()
        await press(page, /^Show (?:monthly|yearly) usage/)
        await page.getByRole('figure').waitFor()
      }
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
    {
      name: 'a point of all devices',
      path: `${NORTHWIND}/points?name=Supply+Air+Temp`,
      open: async (page) => {
        await page.getByText(/^1–15 of/).waitFor()
        // While points are read, others come first; some have no history.
        await page.locator('tbody [type="checkbox"]:not([aria-disabled="true"])').first().check()
      }
    },
    {
      name: 'clearing an override of a site',
      path: `${NORTHWIND}/points?tab=exceptions&status=overridden`,
      open: async (page) => {
        await page.getByText(/^1–\d+ of/).waitFor()
        await page.getByRole('checkbox', { name: /^Select Cooling Valve/ }).check()
        await press(page, /^Clear 1 override/)
        await page.getByRole('alertdialog').waitFor()
      }
    },
    { name: 'saving a report', path: history, open: (page) => press(page, 'Save as report') }
  ]
}
