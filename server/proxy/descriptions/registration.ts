// What is told of registering devices (§7, A-12, A-13). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { json, text } from './shapes.ts'

const License = Type.Object(
  {
    licenseId: text,
    niagaraLicenseId: text,
    customerName: text,
    features: Type.Object({ subscriptions: Type.Array(Type.Object({ offeringCode: text })) })
  },
  { $id: 'License' }
)
const licenses = {
  200: json('The licenses behind the code.', Type.Object({ licenses: Type.Array(License) }), {
    licenses: [
      {
        licenseId: 'lic-1',
        niagaraLicenseId: 'Niagara-1A2B-3C4D',
        customerName: 'Northwind Properties',
        features: { subscriptions: [{ offeringCode: 'NDS' }, { offeringCode: 'Remote' }] }
      }
    ]
  })
}
const REGISTERED = {
  id: 'd-7',
  deviceUuid: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  systemGuid: '5f1c0a9b7d3e2f4a6b8c0d1e'
}

export const registration: Area = area(
  'Device registration',
  'A device shows a code; with it and a license it becomes a device of a project.',
  {
    'registration.licenses': { summary: 'Look up the licenses for a code', answers: licenses },
    'registration.register': {
      summary: 'Register a device',
      example: {
        userCode: 'AB12CD34',
        licenseId: 'lic-1',
        customer: '/organizations/9',
        project: '/projects/3',
        deviceName: 'AHU-3',
        location: 'Roof, north'
      },
      answers: {
        201: json('The device.', Type.Object({ id: text, deviceUuid: text, systemGuid: text }), REGISTERED)
      }
    },
    'reregistration.licenses': {
      summary: 'Look up the licenses for a code, for a known device',
      answers: licenses
    },
    'reregistration.reregister': {
      summary: 'Register a known device anew',
      example: { userCode: 'AB12CD34', deviceUuid: REGISTERED.deviceUuid, licenseId: 'lic-1' },
      answers: { 200: { description: 'Done.' } }
    }
  }
)
