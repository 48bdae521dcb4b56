import { choose } from '../../../support/browser/browser.ts'
import { deviceOf, raiseAlarm } from '../../../support/browser/data-screens.ts'
import { NARROW, NORTHWIND, press, type State, type States, unroll, WIDE } from '../state.ts'

const ALARM = `${NORTHWIND}/alarms?range=all&show=all`

const alarmsOnPhone: States = (portal) => {
  const [alarmWithNotes] = [2, 3].map((number) =>
    raiseAlarm(portal, deviceOf(portal, 'airHandler'), 'Supply Air Temp', `Too warm ${number}`, number)
  )
  const notes = Array.from({ length: 20 }, (_, index) => ({
    text: `Note ${index}`,
    user: 'Carla Almeida',
    time: new Date(Date.now() - index * 60_000).toISOString()
  }))
  portal.sandbox.state.alarmChanges.set(alarmWithNotes ?? '', { notes })
  return [
    {
      name: 'an alarm with notes',
      path: `${ALARM}&alarm=${alarmWithNotes}`,
      open: (page) => page.getByRole('dialog').getByText('Note 19').waitFor(),
      at: NARROW
    },
    {
      name: 'the filter sheet of the alarms',
      path: ALARM,
      open: async (page) => {
        await press(page, /^Filter and sort/)
        await page.getByRole('dialog').getByLabel('Priority').waitFor()
      },
      at: NARROW
    },
    {
      name: 'acknowledging alarms',
      path: `${NORTHWIND}/alarms?show=unacked`,
      open: async (page) => {
        const boxes = page.getByRole('checkbox', { name: /^Select alarm/ })
        for (const index of [0, 1]) await boxes.nth(index).check()
        await press(page, 'Acknowledge 2')
        await page.getByRole('alertdialog').waitFor()
      },
      at: NARROW
    },
    {
      name: 'a note on an alarm',
      path: ALARM,
      open: async (page) => {
        await press(page, /^Details of alarm/)
        await press(page, /^Add note$/)
        await page.getByRole('dialog').getByLabel('Note').waitFor()
      },
      at: NARROW
    }
  ]
}

export const sites: States = (portal) => [
  ...alarmsOnPhone(portal),
  ...[
    { path: ALARM, at: WIDE },
    { path: `${NORTHWIND}/savedbackups?locked=false`, at: NARROW }
  ].map(
    ({ path, at }): State => ({
      name: `selected rows at ${path}`,
      path,
      open: async (page) => {
        await page
          .getByRole('checkbox', { name: /^Select (?:alarm|backup)/ })
          .first()
          .check()
        await page.getByRole('region', { name: /^Selected / }).waitFor()
        await unroll(page)
      },
      at
    })
  ),
  {
    name: 'the details of an alarm',
    path: ALARM,
    open: async (page) => {
      await page.locator('.link-button.source').first().click()
      await page.getByRole('list', { name: 'Timeline' }).waitFor()
    }
  },
  {
    name: 'an entry of the audit log',
    path: '/auditlog?range=30d',
    open: async (page) => {
      await press(page, /^Details of/)
      await page.getByText('IP address').waitFor()
    }
  },
  ...['Download', 'Edit note'].map(
    (item): State => ({
      name: `${item} of a backup`,
      path: `${NORTHWIND}/savedbackups?locked=false`,
      open: async (page) => {
        // The newest backup may still run or have failed.
        const completeRow = page
          .getByRole('row')
          .filter({ hasNotText: /Running|Failed|Taken/ })
          .first()
        await choose(completeRow, /^Actions for backup/, item)
        await page.getByRole('heading', { level: 2 }).last().waitFor()
      }
    })
  ),
  {
    name: 'a new export',
    path: '/exports',
    open: async (page) => {
      await press(page, 'New export')
      await page.getByRole('dialog').getByLabel('Name').waitFor()
    }
  },
  {
    name: 'the registration with licenses and the shown link',
    path: '/registerdevice?user_code=THREE009',
    open: async (page) => {
      await page.getByRole('radio').first().waitFor()
      await press(page, 'Show link')
      // Scroll to the top, so that the header covers no half row.
      await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
    }
  }
]
