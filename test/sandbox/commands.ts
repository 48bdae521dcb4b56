// Commands of the sandbox itself, beside the upstream APIs: `POST /sandbox/alarms` raises an alarm.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { NOTABLE } from './seed/notable.ts'
import type { AlarmDefinition } from './simulation/equipment.ts'
import { raiseAlarm } from './simulation/raised-alarms.ts'
import type { State } from './state.ts'
import { withService } from './upstreams/subscribed.ts'

type Command = Partial<AlarmDefinition> & { customerId?: string; deviceId?: string }

/** Answers the alarm's uuid, its customer and its device, or what is wrong with the call. */
export async function answerCommand(
  state: State,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const answer = (status: number, body: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
  if (request.method !== 'POST' || request.url !== '/sandbox/alarms')
    return answer(404, { error: 'The only command is POST /sandbox/alarms.' })
  const isEmpty = !request.headers['content-length'] || request.headers['content-length'] === '0'
  const command = isEmpty ? {} : await json(request).catch(() => null)
  if (typeof command !== 'object' || command === null) return answer(400, { error: 'The body must be JSON.' })
  const { customerId = NOTABLE.northwind, deviceId, ...change } = command as Command
  const served = withService(state, customerId, 'NDS')
  const device = state.devices
    .of(customerId)
    .find(({ id, deviceUuid }) => served.has(deviceUuid) && (deviceId === undefined || id === deviceId))
  if (!device) return answer(404, { error: 'There is no such device with data services.' })
  const { source, state: alarmState, alarmClass, priority, message } = change
  const known = { source, state: alarmState, alarmClass, priority, message }
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
  const uuid = raiseAlarm(state, device, given)
  answer(201, { uuid, customerId, deviceId: device.id, deviceName: device.deviceName })
}
