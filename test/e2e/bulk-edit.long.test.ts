import Papa from 'papaparse'
import type { Page } from 'playwright-core'
import t from 'tap'
import { BULK_EDIT } from '#client/features/sites/devices/bulk-edit/messages.ts'
import { VALIDATION } from '#client/lib/messages.ts'
import { calls } from '#shared/calls.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations } from '../support/browser/axe.ts'
import { browserTest } from '../support/browser/browser.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { contentOf } from '../support/browser/downloads.ts'
import { listProblems } from '../support/browser/list-checks.ts'

const { portal, open } = await browserTest(t)
const { state } = portal.sandbox
const northwind = () => state.devices.of(NOTABLE.northwind)

interface Row {
  'Device UUID': string
  Name: string
  Location: string
  Project: string
  Version: string
  [extra: string]: string
}

async function savedRows(page: Page, button: string): Promise<Row[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click()
  ])
  const text = (await contentOf(download)).toString().replace(/^\uFEFF/, '')
  return Papa.parse<Row>(text, { header: true, skipEmptyLines: true }).data
}

/** Brings the rows back as the "Unicode text" of Excel: tabs and UTF-16. */
async function bringBack(page: Page, rows: readonly (Row | string[])[]): Promise<void> {
  const fields = ['Device UUID', 'Name', 'Location', 'Project', 'Version']
  const data = rows.map((row) => (Array.isArray(row) ? row : fields.map((field) => row[field])))
  const text = Papa.unparse([fields, ...data], { delimiter: '\t' })
  const buffer = Buffer.from(`\uFEFF${text}`, 'utf16le')
  await page
    .getByLabel('The changed file')
    .setInputFiles({ name: 'devices.txt', mimeType: 'text/plain', buffer })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Names, locations and projects of all devices. */
const textsOfAll = () =>
  new Map(
    northwind().map(({ deviceUuid, deviceName, location, projectId }) => [
      deviceUuid,
      { deviceName, location, projectId }
    ])
  )

t.test(
  '1,240 devices go out, 200 come back changed among ten kinds of mistake, and are undone',
  async (t) => {
    const { page, errors } = await open('partner.admin', NORTHWIND)
    await page.getByRole('link', { name: 'Edit as CSV' }).click()
    await page.getByText('1,240 devices of the customer.').waitFor()
    const rows = await savedRows(page, 'Save file')
    t.equal(rows.length, 1240)

    await bringBack(page, rows)
    await heading(page, 'The file has no differences').waitFor()
    await press(page, 'Choose another file')

    const project = state.projects.of(NOTABLE.northwind)[0]
    if (!project) throw new Error('the customer has no project')
    const original = textsOfAll()
    const expected = new Map(original)
    const changed = rows.map((row) => ({ ...row }))
    const row = (index: number) => changed[index] as Row
    const expect = (index: number, change: object) => {
      const uuid = row(index)['Device UUID']
      expected.set(uuid, {
        ...(expected.get(uuid) as NonNullable<ReturnType<typeof expected.get>>),
        ...change
      })
    }
    for (let index = 0; index < 100; index += 1) {
      row(index).Name = `Unit ${index}`
      expect(index, { deviceName: `Unit ${index}` })
    }
    for (let index = 60; index < 160; index += 1) {
      row(index).Location = `Room ${index}`
      expect(index, { location: `Room ${index}` })
    }
    const elsewhere = changed.flatMap(({ Project }, index) =>
      index >= 160 && Project !== project.projectName ? [index] : []
    )
    const moved = elsewhere.slice(0, 40)
    for (const index of moved) {
      row(index).Project = project.projectName
      expect(index, { projectId: project.id })
    }

    const [first = 0, ...others] = elsewhere.slice(40, 50)
    const [unknown, unnamed, longName, symbol, longPlace, lostProject, double, other, wide] = others as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number
    ]
    row(first).Name = 'Changed twice'
    row(unknown)['Device UUID'] = '00000000-0000-4000-8000-000000000000'
    row(unnamed).Name = ''
    row(longName).Name = 'n'.repeat(51)
    row(symbol).Name = 'Pump <1>'
    row(longPlace).Location = 'l'.repeat(51)
    row(lostProject).Project = 'No such project'
    row(other).Name = 'Other version'
    row(other).Version = '17'
    const table: (Row | string[])[] = [...changed]
    table[wide] = [...Object.values(row(wide)), 'one cell too many']
    table.push({ ...row(double), Name: 'In two rows' })

    // Somebody else changes a device after the file was saved.
    const uuid = row(first)['Device UUID']
    const changedElsewhere = northwind().find(({ deviceUuid }) => deviceUuid === uuid)
    if (!changedElsewhere) throw new Error(`there is no device ${uuid}`)
    const answer = await (await portal.as('partner.admin')).call(calls.managedDevice(changedElsewhere.id), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
      body: JSON.stringify({ location: 'Elsewhere' })
    })
    t.equal(answer.status, 200)
    expect(first, { location: 'Elsewhere' })
    original.set(uuid, {
      ...(original.get(uuid) as NonNullable<ReturnType<typeof original.get>>),
      location: 'Elsewhere'
    })

    await bringBack(page, table)
    await heading(page, '200 changes, 11 rows refused, 1,030 unchanged').waitFor()
    await page.getByText('Devices that are not in the file stay as they are: 1.').waitFor()
    await page.getByRole('tab', { name: /^Refused/ }).click()
    const numberOf = (index: number) => index + 2
    const refusedRows = await page
      .locator('.bulk-edit-rows tbody tr')
      .evaluateAll((nodes) =>
        nodes.map((node) => [node.firstElementChild?.textContent, node.lastElementChild?.textContent])
      )
    const reasons: [index: number, reason: string][] = [
      [first, BULK_EDIT.changedSince],
      [unknown, BULK_EDIT.unknownUuid],
      [unnamed, `Name: ${BULK_EDIT.nameEmpty}`],
      [longName, `Name: ${VALIDATION.tooLong(50)}`],
      [symbol, `Name: ${VALIDATION.symbols}`],
      [longPlace, `Location: ${VALIDATION.tooLong(50)}`],
      [lostProject, `Project: ${BULK_EDIT.unknownProject}`],
      [double, BULK_EDIT.duplicate([numberOf(double), 1242])],
      [other, BULK_EDIT.versionLost],
      [wide, BULK_EDIT.tooManyCells(6, 5)],
      [1240, BULK_EDIT.duplicate([numberOf(double), 1242])]
    ]
    t.strictSame(
      refusedRows,
      reasons
        .toSorted(([a], [b]) => a - b)
        .map(([index, reason]) => [String(numberOf(index)), `Refused ${reason}`])
    )
    for (const tab of [/^Changes/, /^Refused/]) {
      await page.getByRole('tab', { name: tab }).click()
      t.strictSame(await page.evaluate(listProblems), [])
      t.strictSame(await violations(page), [])
    }
    t.same(textsOfAll(), original, 'nothing changes before Apply')

    // One change fails at first.
    const failing = northwind().find(({ deviceUuid }) => deviceUuid === row(0)['Device UUID'])
    const path = `**${calls.managedDevice(failing?.id ?? '')}`
    await page.route(path, (route) =>
      route.fulfill({ status: 409, contentType: 'application/problem+json', json: { status: 409 } })
    )
    const auditedBefore = state.audit.length
    await press(page, 'Apply 200 changes')
    await heading(page, '199 devices changed, 1 not changed').waitFor()
    await page.unroute(path)
    await press(page, 'Retry 1')
    await heading(page, '200 devices changed').waitFor()
    t.same(textsOfAll(), expected)
    t.equal(state.audit.length - auditedBefore, 200, 'the audit log has an entry for each change')
    const results = await savedRows(page, 'Save results as CSV')
    t.equal(results.length, 1241)
    t.equal(results.filter(({ Result }) => Result === 'Changed').length, 200)
    const undoRows = await savedRows(page, 'Save undo file')
    t.equal(undoRows.length, 200)

    await press(page, 'Undo 200 changes')
    await heading(page, 'Undo: 200 changes, 0 rows refused, 0 unchanged').waitFor()
    await press(page, 'Apply 200 changes')
    await heading(page, 'Undo: 200 devices changed').waitFor()
    t.same(textsOfAll(), original)
    t.strictSame(
      errors.filter((text) => !text.includes('409')),
      []
    )
  }
)
