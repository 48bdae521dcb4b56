// What is told of projects, devices and their subscriptions (§7). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { DONE, Href, halList, json, optional, text, time } from './shapes.ts'

const Project = Type.Object(
  { id: text, projectName: text, _links: Type.Object({ customer: Href, partner: Href }) },
  { $id: 'ManagedProject' }
)
const PROJECT = {
  id: '3',
  projectName: 'East Wing',
  _links: { customer: { href: '/organizations/9' }, partner: { href: '/organizations/1' } }
}
const nameTaken = {
  409: {
    code: 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS',
    description: 'The customer has a project of that name.'
  }
}

const Device = Type.Object(
  {
    id: text,
    deviceUuid: text,
    deviceName: text,
    hostId: text,
    location: text,
    projectName: text,
    projectId: text,
    systemGuid: text,
    createdDate: optional(time)
  },
  { $id: 'ManagedDevice' }
)
const DEVICE = {
  id: 'd-7',
  deviceUuid: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  deviceName: 'AHU-3',
  hostId: 'Qnx-TITAN-1A2B-3C4D-5E6F-7A8B',
  location: 'Roof, north',
  projectName: 'East Wing',
  projectId: '3',
  systemGuid: '5f1c0a9b7d3e2f4a6b8c0d1e',
  createdDate: '2024-11-04T08:15:00.000Z'
}

const Subscription = Type.Object(
  {
    deviceUuid: text,
    offeringCode: Type.String({ description: '`NDS` (data services), `Remote` or `Recover`.' }),
    startDate: time,
    endDate: time,
    planLimit: optional(Type.Number({ description: 'Plan limit in GB, of NDS only.' }))
  },
  { $id: 'DeviceSubscription' }
)

export const projectsAndDevices: Area = area(
  'Projects and devices',
  'As the management API keeps them. For reading, the assembled endpoints need fewer calls.',
  {
    'organizations.projects': {
      summary: 'List the projects of a customer',
      answers: { 200: halList('One page of projects.', 'projects', Project, PROJECT) }
    },
    'projects.create': {
      summary: 'Create a project',
      example: { projectName: 'East Wing', customer: '/organizations/9', partner: '/organizations/1' },
      answers: { 201: json('The project.', Project, PROJECT) },
      refusals: nameTaken
    },
    'projects.rename': {
      summary: 'Rename a project',
      example: { projectName: 'East Wing' },
      answers: { 200: json('The project.', Project, PROJECT) },
      refusals: nameTaken
    },
    'projects.delete': {
      summary: 'Delete a project',
      answers: DONE,
      refusals: { 409: { description: 'The project still has devices.' } }
    },
    'organizations.devices': {
      summary: 'List the devices of a customer',
      answers: { 200: halList('One page of devices.', 'devices', Device, DEVICE) }
    },
    'devices.update': {
      summary: 'Rename or move a device',
      description: 'What the body does not name stays as it is.',
      example: { project: '/projects/4', location: 'Roof, south' },
      answers: { 200: json('The device.', Device, DEVICE) }
    },
    'devices.delete': { summary: 'Delete a device', answers: DONE },
    'subscriptions.list': {
      summary: "List the subscriptions of a customer's devices",
      answers: {
        200: json('All subscriptions.', Type.Array(Subscription), [
          {
            deviceUuid: DEVICE.deviceUuid,
            offeringCode: 'NDS',
            startDate: '2025-01-01T00:00:00.000Z',
            endDate: '2026-01-01T00:00:00.000Z',
            planLimit: 25
          }
        ])
      }
    }
  }
)
