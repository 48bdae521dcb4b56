import t from 'tap'
import {
  type ServiceId,
  type ServiceSetting,
  serviceLinks
} from '#client/features/sites/devices/service-links/device-services.ts'
import type { Device, Subscription } from '#shared/answers/customers.ts'
import type { Action } from '#shared/permissions.ts'
import { device, NOW } from '../../../../../support/client/gateway.ts'

const setting: ServiceSetting = {
  customerPath: '/customers/9',
  remoteUrl: 'https://remote.example/',
  historyCharting: true,
  nowMs: Date.parse(NOW),
  can: () => true
}
const subscription = (offeringCode: string, rest: Partial<Subscription> = {}): Subscription => ({
  offeringCode,
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2027-01-01T00:00:00Z',
  ...rest
})
const all = ['NDS', 'Remote', 'Recover'].map((code) => subscription(code))
const denying = (...actions: Action[]) => ({ can: (action: Action) => !actions.includes(action) })

interface Case {
  name: string
  subscriptions?: Subscription[]
  partial?: Device['partial']
  setting?: Partial<ServiceSetting>
  systemGuid?: string
  refused: Partial<Record<ServiceId, RegExp>>
}

const cases: Case[] = [
  {
    name: 'a service without a subscription names the missing subscription',
    subscriptions: [],
    refused: {
      alarms: /^No Data Services subscription$/,
      data: /^No Data Services subscription$/,
      remote: /^No Remote subscription$/,
      recover: /^No Recover subscription$/
    }
  },
  {
    name: 'data and alarms need a Data Services subscription',
    subscriptions: [subscription('Remote'), subscription('Recover')],
    refused: { alarms: /No Data Services/, data: /No Data Services/ }
  },
  {
    name: 'gives the last end of an ended subscription as the reason',
    subscriptions: [
      ...all.slice(0, 2),
      subscription('Recover', { endDate: '2026-02-01T12:00:00Z' }),
      subscription('Recover', { endDate: '2025-02-01T12:00:00Z' })
    ],
    refused: { recover: /^Subscription ended 01-Feb-2026$/ }
  },
  {
    name: 'a subscription that ends now has ended',
    subscriptions: [...all.slice(0, 2), subscription('Recover', { endDate: NOW })],
    refused: { recover: /ended/ }
  },
  {
    name: 'a subscription that has not begun does not count',
    subscriptions: [...all.slice(0, 2), subscription('Recover', { startDate: '2026-04-01T00:00:00Z' })],
    refused: { recover: /No Recover subscription/ }
  },
  {
    name: 'gives subscriptions that could not be read as the reason',
    subscriptions: [],
    partial: ['subscriptions'],
    refused: {
      alarms: /not be read/,
      data: /not be read/,
      remote: /not be read/,
      recover: /not be read/
    }
  },
  {
    name: 'gives a missing permission as the reason, not a missing subscription',
    subscriptions: [],
    setting: denying('alarms:query', 'data:query', 'remote:connect', 'recover:view'),
    refused: { alarms: /role/, data: /role/, remote: /role/, recover: /role/ }
  },
  { name: 'alarms need alarms:query', setting: denying('alarms:query'), refused: { alarms: /role/ } },
  { name: 'data needs data:query', setting: denying('data:query'), refused: { data: /role/ } },
  { name: 'Remote needs remote:connect', setting: denying('remote:connect'), refused: { remote: /role/ } },
  { name: 'backups need recover:view', setting: denying('recover:view'), refused: { recover: /role/ } },
  { name: 'Remote needs a remote host', setting: { remoteUrl: null }, refused: { remote: /not set up/ } },
  { name: 'Remote needs a system id', systemGuid: '', refused: { remote: /not set up/ } },
  { name: 'with all subscriptions every service has a link', refused: {} },
  {
    name: 'an active subscription counts although another one has ended',
    subscriptions: [...all, subscription('Remote', { endDate: '2026-02-01T00:00:00Z' })],
    refused: {}
  },
  {
    name: 'a subscription that ends in a millisecond still counts',
    subscriptions: [...all.slice(0, 2), subscription('Recover', { endDate: '2026-03-01T12:00:00.001Z' })],
    refused: {}
  }
]

for (const { name, subscriptions = all, partial = [], systemGuid = 'guid-1', refused, ...rest } of cases) {
  t.test(name, async (t) => {
    const links = serviceLinks(device(1, { subscriptions, partial, systemGuid }), {
      ...setting,
      ...rest.setting
    })
    for (const { id, href, reason } of links) {
      t.equal(href === null, id in refused, `${id} is ${id in refused ? 'refused' : 'available'}`)
      if (refused[id]) t.match(reason, refused[id])
      else t.equal(reason, null)
    }
  })
}

for (const [historyCharting, dataAddress] of [
  [true, '/customers/9/devicedetails/history?deviceUuid=a%26b'],
  [false, '/customers/9/dataservice?deviceUuid=a%26b']
] as const) {
  t.test(`each service links to its page, history charting ${historyCharting ? 'on' : 'off'}`, async (t) => {
    const subject = device(1, { deviceUuid: 'a&b', systemGuid: 'guid 1' })
    const links = serviceLinks(subject, { ...setting, historyCharting })
    t.same(
      links.map(({ id, href, external }) => [id, href, external]),
      [
        ['alarms', '/customers/9/devicedetails?tab=alarms&deviceUuid=a%26b', false],
        ['data', dataAddress, false],
        ['remote', 'https://remote.example/guid%201', true],
        ['recover', '/customers/9/savedbackups?deviceUuid=a%26b', false]
      ]
    )
  })
}
