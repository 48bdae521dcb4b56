// Counts the keys that a task needs from page load to done. Typed text is not counted.
import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest } from '../../support/browser/browser.ts'
import { calm } from '../../support/browser/calm.ts'
import { deviceOf, devicePath, NORTHWIND, raiseAlarm } from '../../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const KEYS_MAX = 40

const FOCUSED = `(() => {
  const { activeElement: element } = document
  return (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim()
})()`

function keyboardOf(page: Page) {
  let count = 0
  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await page.keyboard.press(key)
      count += 1
    }
  }
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses Tab until the control with this name has the focus. */
    async tabTo(name: RegExp): Promise<void> {
      const focusedNames: string[] = []
      while (focusedNames.length <= KEYS_MAX) {
        await press('Tab')
        const focusedName = await page.evaluate<string>(FOCUSED)
        if (name.test(focusedName)) return
        focusedNames.push(focusedName.slice(0, 40))
      }
      throw new Error(`${name} does not get the focus: ${focusedNames.join(' | ')}`)
    },
    count: () => count
  }
}

type Keyboard = ReturnType<typeof keyboardOf>

interface Task {
  name: string
  person: string
  path: string
  perform(keyboard: Keyboard, page: Page): Promise<unknown>
}

const SKIP_TO_CONTENT = ['Tab', 'Enter']
const device = deviceOf(portal, 'airHandler')
raiseAlarm(portal, device, 'Drill', 'Stuck')

const TASKS: Task[] = [
  {
    name: 'create a project',
    person: 'partner.admin',
    path: NORTHWIND,
    async perform({ press, tabTo, type }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Create New Project$/)
      await press('Enter')
      await page.getByRole('dialog', { name: 'New Project' }).waitFor()
      await type('Annex 7')
      await press('Enter')
      await page.getByText("Project 'Annex 7' created successfully.").waitFor()
    }
  },
  {
    name: 'rename a project',
    person: 'partner.admin',
    path: NORTHWIND,
    async perform({ press, tabTo, type }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Search Project$/)
      await type('Central Plant')
      await tabTo(/^Central Plant/)
      await press('F2')
      await page.getByRole('textbox', { name: 'New name of Central Plant' }).waitFor()
      await type('Energy Centre')
      await press('Enter')
      await page.getByText("Project name 'Energy Centre' updated successfully.").waitFor()
    }
  },
  {
    name: 'edit a device',
    person: 'partner.admin',
    path: NORTHWIND,
    async perform({ press, tabTo, type }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Device, Host ID, Project, Location$/)
      await type('Chiller 2')
      await page.waitForURL(/q=Chiller\+2/)
      await calm(page)
      await tabTo(/^Actions for Chiller 2/)
      await press('Enter', 'Enter')
      await page.getByRole('dialog', { name: 'Edit Details' }).waitFor()
      await type(' renewed')
      await press('Enter')
      await page.getByText('Device name updated.').waitFor()
    }
  },
  {
    name: 'open a known device',
    person: 'partner.admin',
    path: '/reports',
    async perform({ press, type }, page) {
      await press('Control+k')
      await page.getByRole('dialog', { name: 'Jump to' }).waitFor()
      await type(device.hostId)
      await page.getByRole('option').filter({ hasText: device.deviceName }).first().waitFor()
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: device.deviceName }).waitFor()
    }
  },
  {
    name: 'acknowledge an alarm',
    person: 'customer.admin',
    path: `${NORTHWIND}/alarms`,
    async perform({ press, tabTo }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Actions for alarm Drill/)
      await press('Enter', 'Enter')
      await page.getByText('1 alarm sent for acknowledgement.').waitFor()
    }
  },
  {
    name: 'write a point',
    person: 'nds.operator',
    path: devicePath(device),
    async perform({ press, tabTo, type }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Search points$/)
      await type('Supply Air Temp Setpoint')
      await page.waitForURL(/q=Supply\+Air\+Temp\+Setpoint/)
      await page.getByRole('button', { name: 'Actions for Supply Air Temp Setpoint' }).waitFor()
      await calm(page)
      await tabTo(/^Actions for Supply Air Temp Setpoint$/)
      await press('Enter', 'w', 'Enter')
      await page.getByRole('dialog').getByLabel('New value').waitFor()
      await type('21.5')
      await press('Enter')
      await page
        .getByRole('dialog')
        .getByText(/^Sent\. Reading back/)
        .waitFor()
    }
  },
  {
    name: 'invite a user',
    person: 'partner.admin',
    path: '/users',
    async perform({ press, tabTo, type }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Add user$/)
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Add User' }).waitFor()
      await tabTo(/^E-mail addresses/)
      await type('sam.lee@example.com ')
      await page.getByText('1 of 1 can be invited').waitFor()
      await tabTo(/^Next$/)
      await press('Enter')
      await page.getByText('Step 2 of 2: Roles and access').waitFor()
      await tabTo(/^Admin$/)
      await press('ArrowDown')
      await tabTo(/^Send invitation$/)
      await press('Enter')
      await page.getByText('1 invitation sent.').waitFor()
    }
  },
  {
    name: 'find who moved a device',
    person: 'partner.admin',
    path: '/auditlog?range=30d',
    async perform({ press, tabTo }, page) {
      await press(...SKIP_TO_CONTENT)
      await tabTo(/^Action$/)
      await press('Enter')
      await page.getByRole('checkbox', { name: 'Device moved', exact: true }).waitFor()
      await tabTo(/^Device moved$/)
      await press('Space')
      await page.waitForURL(/action=DEVICE_MOVED/)
      await page.getByRole('row').filter({ hasText: 'moved device' }).first().waitFor()
    }
  }
]

for (const { name, person, path, perform } of TASKS)
  t.test(`${name} within ${KEYS_MAX} keys`, async (t) => {
    const { page } = await open(person, path)
    await calm(page)
    const keyboard = keyboardOf(page)
    await perform(keyboard, page)
    t.ok(keyboard.count() <= KEYS_MAX, `${name}: ${keyboard.count()} keys`)
  })
