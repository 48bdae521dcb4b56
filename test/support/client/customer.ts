// Answers about customer 9 that change with the calls of a test.

import type { DeviceQuery } from '#server/inventory/device-query.ts'
import { createDeviceTable } from '#server/inventory/worker/device-table.ts'
import type { Device, Project } from '#shared/answers/customers.ts'
import { type Answers, type Call, device, problem, projectList } from './gateway.ts'

export const HERE = '/customers/9'
export const PROJECTS = '/api/portal/v1/customers/9/projects'
export const DEVICES = '/api/portal/v1/customers/9/devices'
export const MANAGEMENT = '/api/v2/management'

export interface Customer {
  projects: Project[]
  devices: Device[]
  refusals: Map<string, () => unknown>
  answers: Answers
}

export function customer({ tower = 3, garage = 1 } = {}): Customer {
  const projects = projectList().projects.map(({ id, projectName }) => ({ id, projectName }))
  const devices = Array.from({ length: tower + garage }, (_, index) =>
    device(index + 1, index < tower ? {} : { projectId: 'p-2', projectName: 'Garage' })
  )
  const state: Customer = { projects, devices, refusals: new Map(), answers: {} }
  const withRefusal = (answer: (call: Call) => unknown) => (call: Call) =>
    state.refusals.get(`${call.method} ${call.path}`)?.() ?? answer(call)
  state.answers[PROJECTS] = withRefusal(() => listOf(state))
  state.answers[DEVICES] = withRefusal((call) => devicePage(state.devices, call))
  state.answers[`${MANAGEMENT}/projects`] = withRefusal(({ body }) => {
    const project = { id: `p-${projects.length + 1}`, projectName: (body as Project).projectName }
    state.projects.push(project)
    return project
  })
  for (const { id } of [...projects, { id: 'p-3' }])
    state.answers[`${MANAGEMENT}/projects/${id}`] = withRefusal((call) => changeProject(state, id, call))
  for (const { id, deviceUuid } of devices) {
    state.answers[`${MANAGEMENT}/devices/${id}`] = withRefusal((call) => changeDevice(state, id, call))
    state.answers[`${DEVICES}/${deviceUuid}`] = () =>
      state.devices.find((one) => one.id === id) ?? problem(404)
  }
  return state
}

function listOf({ projects, devices }: Customer): object {
  const projectsWithCounts = projects.map((project) => ({
    ...project,
    deviceCount: devices.filter(({ projectId }) => projectId === project.id).length
  }))
  return projectList({
    projects: projectsWithCounts.sort((a, b) => a.projectName.localeCompare(b.projectName)),
    totals: { projects: projects.length, devices: devices.length }
  })
}

/** The page of devices that a call requests. */
export function devicePage(devices: readonly Device[], { query }: Call): object {
  const project = query.get('projectId')
  const service = query.get('service')
  const matchingDevices = devices.filter(
    ({ projectId, subscriptions }) =>
      (project === null || projectId === project) &&
      (service === null || subscriptions.some(({ offeringCode }) => offeringCode === service))
  )
  const deviceQuery = {
    q: query.get('q') ?? '',
    match: query.get('match'),
    sort: query.get('sort'),
    order: query.get('order'),
    page: Number(query.get('page')),
    size: Number(query.get('size'))
  } as DeviceQuery
  return { ...createDeviceTable(matchingDevices).page(deviceQuery, 0), partial: [] }
}

function changeProject(state: Customer, id: string, { method, body }: Call): unknown {
  if (method === 'DELETE') {
    state.projects = state.projects.filter((project) => project.id !== id)
    return new Response(null, { status: 204 })
  }
  state.projects = state.projects.map((project) =>
    project.id === id ? { ...project, ...(body as object) } : project
  )
  return {}
}

function changeDevice(state: Customer, id: string, { method, body }: Call): unknown {
  if (method === 'DELETE') {
    state.devices = state.devices.filter((one) => one.id !== id)
    return new Response(null, { status: 204 })
  }
  const { project, ...rest } = body as { project?: string }
  const target = state.projects.find(({ id }) => `/projects/${id}` === project)
  state.devices = state.devices.map((one) =>
    one.id === id
      ? { ...one, ...rest, ...(target ? { projectId: target.id, projectName: target.projectName } : {}) }
      : one
  )
  return {}
}

export const duplicate = () => problem(409, { code: 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS' })
