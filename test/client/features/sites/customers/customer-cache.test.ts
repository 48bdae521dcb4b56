import '../../../../support/client/dom.ts'
import t from 'tap'
import {
  type CustomerChange,
  changedList,
  changedPage
} from '#client/features/sites/customers/customer-cache.ts'
import { deviceChanged, deviceDeleted } from '#client/features/sites/devices/device-changes.ts'
import { projectCreated, projectDeleted, projectRenamed } from '#client/features/sites/projects/api.ts'
import { pageOf } from '#server/paging.ts'
import { device, projectList } from '../../../../support/client/gateway.ts'

const list = projectList()
const page = {
  ...pageOf([device(1), device(2), device(3, { projectId: null, projectName: null })], 0, 15),
  partial: []
}
const towerDevice = device(1)
const garage = { id: 'p-2', projectName: 'Garage' }
const countsAfter = (change: CustomerChange) =>
  changedList(list, change).projects.map(({ projectName, deviceCount }) => `${projectName} ${deviceCount}`)
const namesAfter = (change: CustomerChange, projectId: string | null = null) =>
  changedPage(page, change, projectId).items.map(({ deviceName }) => deviceName)

t.test('an unknown device changes nothing', async (t) => {
  const unknownDevice = device(99, { projectId: 'p-9' })
  t.same(countsAfter(deviceChanged(unknownDevice, { location: 'Roof' })), ['Garage 2', 'Tower 30'])
  t.same(changedPage(page, deviceDeleted(unknownDevice), null), page)
})

t.test('a moved device is counted in the new project only', async (t) => {
  const move = deviceChanged(towerDevice, { project: garage })
  t.same(countsAfter(move), ['Garage 3', 'Tower 29'])
  t.equal(changedList(list, move).totals.devices, 32)
  t.same(changedPage(page, move, null).items[0], { ...towerDevice, projectId: 'p-2', projectName: 'Garage' })
  t.same(namesAfter(move, 'p-1'), ['AHU-2', 'AHU-3'])
  t.equal(changedPage(page, move, 'p-1').page.totalElements, 2)
})

t.test('moves a device without a project into a project', async (t) => {
  const unassignedDevice = device(3, { projectId: null, projectName: null })
  t.same(countsAfter(deviceChanged(unassignedDevice, { project: garage })), ['Garage 3', 'Tower 30'])
})

t.test('a deleted device is removed from the page and the counts', async (t) => {
  const deletion = deviceDeleted(towerDevice)
  t.same(countsAfter(deletion), ['Garage 2', 'Tower 29'])
  t.equal(changedList(list, deletion).totals.devices, 31)
  t.same(namesAfter(deletion), ['AHU-2', 'AHU-3'])
  const lastPage = { ...pageOf([towerDevice], 0, 1), partial: [] }
  t.same(changedPage(lastPage, deletion, null).page, { number: 0, size: 1, totalPages: 0, totalElements: 0 })
})

t.test('an edited device changes only its name and location', async (t) => {
  const change = { deviceName: 'Fan', location: 'Roof' }
  t.same(changedPage(page, deviceChanged(towerDevice, change), 'p-1').items[0], {
    ...towerDevice,
    ...change
  })
})

t.test('creates, renames and deletes projects in sort order', async (t) => {
  const annex = { id: 'p-3', projectName: 'Annex' }
  t.same(countsAfter(projectCreated(annex)), ['Annex 0', 'Garage 2', 'Tower 30'])
  t.equal(changedList(list, projectCreated(annex)).totals.projects, 3)
  t.same(countsAfter(projectCreated(garage)), ['Garage 0', 'Tower 30'], 'replaces a listed project')
  const renaming = projectRenamed({ id: 'p-1', projectName: 'Atrium' })
  t.same(countsAfter(renaming), ['Atrium 30', 'Garage 2'])
  t.same(
    changedPage(page, renaming, null).items.map(({ projectName }) => projectName),
    ['Atrium', 'Atrium', null]
  )
  t.same(countsAfter(projectDeleted('p-2')), ['Tower 30'])
})
