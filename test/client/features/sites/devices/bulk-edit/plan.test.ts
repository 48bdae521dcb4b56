import t from 'tap'
import { deviceFile, projectNames } from '#client/features/sites/devices/bulk-edit/device-file.ts'
import { BULK_EDIT } from '#client/features/sites/devices/bulk-edit/messages.ts'
import { type PlannedRow, planInPieces } from '#client/features/sites/devices/bulk-edit/plan.ts'
import { rowsOf } from '#client/features/sites/devices/bulk-edit/read-file.ts'
import { VALIDATION } from '#client/lib/messages.ts'
import type { Device } from '#shared/answers/customers.ts'
import { device } from '#test/support/client/gateway.ts'

const PROJECTS = [
  { id: 'p-1', projectName: 'Tower' },
  { id: 'p-2', projectName: 'Garage' }
]

interface Options {
  /** The devices when the file comes back. */
  now?: readonly Device[]
  projects?: typeof PROJECTS
  mayMove?: boolean
}

/** Saves a file with the devices, edits its text, and compares it. */
async function plan(
  devices: readonly Device[],
  edit: (text: string) => string,
  options: Options = {}
): Promise<PlannedRow[]> {
  const { now = devices, projects = PROJECTS, mayMove = true } = options
  const names = projectNames(projects)
  const text = deviceFile(
    devices.map((device) => ({ device })),
    names
  )
  const { rows } = await rowsOf(new TextEncoder().encode(edit(text)))
  return planInPieces({ rows, devices: now, projects: names, mayMove })
}

const replace = (from: string, to: string) => (text: string) => text.replace(from, to)
const AHUS = [device(1), device(2, { projectId: 'p-2', projectName: 'Garage' })]

const REFUSED: [name: string, edit: (text: string) => string, reasons: string[]][] = [
  ['an unknown device', replace('uuid-1', 'uuid-9'), [BULK_EDIT.unknownUuid]],
  ['no device', replace('uuid-1', ' '), [BULK_EDIT.uuidEmpty]],
  ['no name', replace('AHU-1', ''), [`Name: ${BULK_EDIT.nameEmpty}`]],
  ['a name of 51 characters', replace('AHU-1', 'x'.repeat(51)), [`Name: ${VALIDATION.tooLong(50)}`]],
  ['a name with a symbol', replace('AHU-1', 'AHU <1>'), [`Name: ${VALIDATION.symbols}`]],
  ['no location', replace('Level 1', ''), [`Location: ${BULK_EDIT.locationEmpty}`]],
  [
    'a location of 51 characters',
    replace('Level 1', 'x'.repeat(51)),
    [`Location: ${VALIDATION.tooLong(50)}`]
  ],
  ['an unknown project', replace('Tower', 'Towr'), [`Project: ${BULK_EDIT.unknownProject}`]],
  ['no project', replace('Tower', ''), [`Project: ${BULK_EDIT.projectEmpty}`]],
  ['too many cells', replace('Level 1', 'Level 1, east'), [BULK_EDIT.tooManyCells(6, 5)]],
  [
    'another version',
    (text) => text.replace('AHU-1', 'AHU-9').replace(/v[0-9a-z]{7}/, '7'),
    [BULK_EDIT.versionLost]
  ],
  [
    'several mistakes',
    (text) => text.replace('AHU-1', '').replace('Level 1', '*'),
    [`Name: ${BULK_EDIT.nameEmpty}`, `Location: ${VALIDATION.symbols}`]
  ]
]

for (const [name, edit, reasons] of REFUSED)
  t.test(`refuses a row with ${name}, and only this row`, async (t) => {
    const [first, second] = await plan(AHUS, (text) => edit(text).replace('AHU-2', 'AHU-22'))
    t.strictSame(first?.refusals, reasons)
    t.equal(first?.change, null)
    t.strictSame(second?.change, { deviceName: 'AHU-22' })
  })

t.test('refuses all rows of a device that is in several', async (t) => {
  const rows = await plan(AHUS, (text) => text + text.split('\r\n')[1]?.replace('AHU-1', 'AHU-9'))
  t.strictSame(
    rows.map(({ refusals }) => refusals),
    [[BULK_EDIT.duplicate([2, 4])], [], [BULK_EDIT.duplicate([2, 4])]]
  )
})

t.test('refuses an edited row of a device that has changed since the file was saved', async (t) => {
  const now = AHUS.map((device) => ({ ...device, location: 'Moved' }))
  const [first, second] = await plan(AHUS, replace('AHU-1', 'AHU-9'), { now })
  t.strictSame(first?.refusals, [BULK_EDIT.changedSince])
  t.same(second?.refusals, [], 'a row that is not edited leaves the change of somebody else')
  t.equal(second?.change, null)
  t.strictSame(second?.location, { before: 'Moved', after: null })
})

t.test('a row that wants what a device already is changes nothing', async (t) => {
  const now = AHUS.map((device) => ({ ...device, deviceName: 'AHU-9' }))
  const [first] = await plan(AHUS, replace('AHU-1', 'AHU-9'), { now })
  t.same([first?.change, first?.refusals], [null, []])
})

t.test('refuses another project for a person who may not move devices, but not another name', async (t) => {
  const edit = (text: string) => text.replace('Tower', 'Garage').replace('AHU-2', 'AHU-22')
  const [first, second] = await plan(AHUS, edit, { mayMove: false })
  t.strictSame(first?.refusals, [`Project: ${BULK_EDIT.mayNotMove}`])
  t.strictSame(second?.change, { deviceName: 'AHU-22' })
})

t.test('refuses a project name that occurs twice, and says how to write each', async (t) => {
  const projects = [...PROJECTS, { id: 'p-3', projectName: 'Garage' }]
  const [refused] = await plan(AHUS, replace('Tower', 'Garage'), { projects })
  t.strictSame(refused?.refusals, [
    `Project: ${BULK_EDIT.ambiguousProject(['Garage [p-2]', 'Garage [p-3]'])}`
  ])
  const [moved] = await plan(AHUS, replace('Tower', 'Garage [p-3]'), { projects })
  t.strictSame(moved?.change, { project: { id: 'p-3', projectName: 'Garage' } })
})

t.test('an unchanged file has no differences, whatever the devices are called', async (t) => {
  const texts = [
    '=1+1',
    '-x',
    '007',
    '1-2',
    "'=1",
    '',
    ' a ',
    'a;=b',
    'a, "b"',
    'two\nlines',
    'a*b',
    'x'.repeat(60)
  ]
  const devices = texts.map((text, number) =>
    device(number, { deviceName: text, location: text, projectId: null, projectName: null })
  )
  const withoutApostrophes = (text: string) => text.replaceAll(/(^|[,"; ])'(?=[=\-0-9])/gm, '$1')
  for (const edit of [(text: string) => text, withoutApostrophes]) {
    const rows = await plan(devices, edit)
    t.equal(rows.length, devices.length)
    t.same(
      rows.filter(({ change, refusals }) => change !== null || refusals.length > 0),
      []
    )
  }
})

t.test('changes exactly the edited fields, and shows old and new', async (t) => {
  const edit = (text: string) =>
    text.replace('AHU-1', " '-Pump ").replace('Level 1', 'x'.repeat(50)).replace('Tower', 'Garage')
  const [first, second] = await plan(AHUS, edit)
  t.strictSame(first?.change, {
    deviceName: '-Pump',
    location: 'x'.repeat(50),
    project: { id: 'p-2', projectName: 'Garage' }
  })
  t.strictSame(first?.deviceName, { before: 'AHU-1', after: '-Pump' })
  t.strictSame(first?.project, { before: 'Tower', after: 'Garage' })
  t.same([second?.change, second?.refusals], [null, []])
})

t.test('the undo file brings the previous values back, unless a device has changed again', async (t) => {
  const names = projectNames(PROJECTS)
  const changed = AHUS.map((device) => ({ ...device, deviceName: `${device.deviceName}-new` }))
  const text = deviceFile(
    AHUS.map((device, index) => ({ device, present: changed[index] as Device })),
    names
  )
  const { rows } = await rowsOf(new TextEncoder().encode(text))
  const now = [changed[0] as Device, { ...(changed[1] as Device), location: 'Moved' }]
  const [first, second] = await planInPieces({ rows, devices: now, projects: names, mayMove: true })
  t.strictSame(first?.change, { deviceName: 'AHU-1' })
  t.strictSame(second?.refusals, [BULK_EDIT.changedSince])
})
