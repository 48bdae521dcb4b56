// Live values, writing and commands to a device (§7, A-10), and its Remote session. Rows only.
import type { ProxyRow } from '../table.ts'

const COMMANDS = '/api/v1/control/devices/:deviceId/commands'
const command = { method: 'POST', scope: 'device', upstream: 'CONTROL' } as const

export const control: readonly ProxyRow[] = [
  { ...command, id: 'control.read', path: `${COMMANDS}/read`, action: 'live:read' },
  { ...command, id: 'control.read-all', path: `${COMMANDS}/readAll`, action: 'live:read' },
  { ...command, id: 'control.write', path: `${COMMANDS}/write`, action: 'live:write' },
  { ...command, id: 'control.clear', path: `${COMMANDS}/clear`, action: 'live:write' },
  { ...command, id: 'control.acknowledge-alarm', path: `${COMMANDS}/acknowledgeAlarm`, action: 'alarms:manage' },
  { ...command, id: 'control.edit-alarm-data', path: `${COMMANDS}/editAlarmData`, action: 'alarms:manage' },
  { id: 'control.acknowledge-alarm-batch', method: 'POST', path: '/api/v1/control/devices/commands/acknowledgeAlarmBatch', action: 'alarms:manage', scope: 'claimed-customer', check: 'batch-devices', upstream: 'CONTROL' },
  { id: 'remote.connect', method: 'POST', path: '/api/v1/remote/customers/:customerId/devices/:deviceUuid/session', action: 'remote:connect', scope: 'customer-device', upstream: 'REMOTE', tellsSecret: true }
]
