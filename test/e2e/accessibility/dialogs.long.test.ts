// Checks dialogs with axe in both themes, and that nothing in them collides or is cut, on a desktop and on a phone.
import type { Page } from 'playwright-core'
import t from 'tap'
import { violations } from '../../support/browser/axe.ts'
import { browserTest, choose, refuse } from '../../support/browser/browser.ts'
import { goTo } from '../../support/browser/walk.ts'
import { NORTHWIND, press } from './state.ts'
import { ONE } from './states/projects.ts'

const { open } = await browserTest(t)

interface Dialog {
  name: string
  path: string
  open(page: Page): Promise<unknown>
  /** Runs in the page; returns what is wrong. */
  problems(): string[]
}

const chooseOption = async (page: Page, field: string, text: string) => {
  await page.getByRole('dialog').getByRole('combobox', { name: field }).fill(text)
  await page.getByRole('dialog').getByRole('option').filter({ hasText: text }).first().click()
}

/** Chooses an action of the first device: in its card on a phone, else in its menu. */
async function chooseAction(page: Page, action: string): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
  if (!isPhone) return choose(page, /^Actions for/, action)
  await press(page, /^Details of/)
  await press(page, action)
}

const DIALOGS: Dialog[] = [
  {
    name: 'a new secret has its copy buttons in the lines of the fields',
    path: `${NORTHWIND}/serviceaccount/sa-1001-2`,
    async open(page) {
      await press(page, 'Regenerate secret')
      await page.getByLabel('Type “Fault Detection” to confirm').fill('Fault Detection')
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: 'I have stored the secret' }).waitFor()
    },
    problems: () =>
      ['Copy Client ID', 'Copy Secret'].filter((name) => {
        const button = document.querySelector(`dialog [aria-label="${name}"]`)
        const field = button?.parentElement?.querySelector('input')
        if (!button || !field) return true
        const [inner, outer] = [button.getBoundingClientRect(), field.getBoundingClientRect()]
        return inner.top < outer.top || inner.bottom > outer.bottom || inner.right > outer.right
      })
  },
  {
    name: 'the lines of users to copy access from do not collide',
    path: '/users/u-partner-user?edit=1',
    async open(page) {
      await press(page, 'Copy access from…')
      await page.getByRole('dialog').getByRole('radio').first().check()
    },
    problems: () =>
      [...document.querySelectorAll('dialog .choice')]
        .filter((choice) => {
          const [label, help] = [choice.querySelector('label'), choice.querySelector('.hint')]
          return label && help && label.getBoundingClientRect().bottom > help.getBoundingClientRect().top
        })
        .map(({ textContent }) => textContent)
  },
  {
    name: 'a failed edit of a device keeps what was typed',
    path: ONE,
    async open(page) {
      await refuse(page, '**/api/v2/management/devices/*', 503)
      await chooseAction(page, 'Edit Details')
      const dialog = page.getByRole('dialog', { name: 'Edit Details' })
      await dialog.getByLabel('Location').fill('Loading dock')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByRole('button', { name: 'Retry' }).waitFor()
      await dialog.getByText('Failed to update device location').waitFor()
    },
    problems: () => {
      const values = [...document.querySelectorAll<HTMLInputElement>('dialog input')].map(
        ({ value }) => value
      )
      return values.includes('Loading dock') ? [] : values
    }
  },
  {
    name: 'the services of a license do not touch',
    path: ONE,
    async open(page) {
      await chooseAction(page, 'Re-registration')
      await page.getByLabel('Registration code').fill('THREE005')
      await page.getByRole('radio').first().check()
    },
    problems: () =>
      [...document.querySelectorAll('dialog .badge + .badge')]
        .filter((badge) => {
          const [left, right] = [badge.previousElementSibling, badge].map((one) =>
            one?.getBoundingClientRect()
          )
          const isSameLine = left?.top === right?.top
          return isSameLine && (right?.left ?? 0) - (left?.right ?? 0) < 4
        })
        .map(({ textContent }) => textContent)
  },
  {
    name: 'a new export shows the size of the file, and no list is cut by the dialog',
    path: '/exports',
    async open(page) {
      await press(page, 'New export')
      await chooseOption(page, 'Customer', 'Northwind Hospitals')
      await chooseOption(page, 'Device', 'AHU-1')
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: /^All \d+ on this page/ })
        .check()
      await page.getByRole('dialog').getByRole('combobox', { name: 'Customer' }).click()
      await page.getByRole('dialog').getByRole('option').nth(5).waitFor()
    },
    problems: () => {
      const isInFront = (element: Element | undefined) => {
        element?.scrollIntoView({ block: 'nearest' })
        const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
        return element?.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      }
      const size = [...document.querySelectorAll('dialog .actions-note [role="status"]')]
      const options = [...document.querySelectorAll('dialog .combobox-list:not([hidden]) [role="option"]')]
      return [
        ...(/^About .* rows of \d+ points/.test(size[0]?.textContent ?? '') ? [] : ['the size of the file']),
        ...options
          .slice(0, 5)
          .filter((option) => !isInFront(option))
          .map(({ textContent }) => textContent)
      ]
    }
  }
]

for (const width of [1440, 390])
  t.test(`at ${width} px`, async (t) => {
    const { page } = await open('partner.admin', '/', { width, reduced: true })
    for (const { name, path, open, problems } of DIALOGS) {
      await goTo(page, path)
      await open(page)
      t.strictSame(await page.evaluate(problems), [], name)
      t.strictSame(await violations(page, ['light', 'dark']), [], `${name}: axe`)
      await page.unrouteAll()
      await page.goto('/')
    }
  })
