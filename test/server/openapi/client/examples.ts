// The example of .github/operations/services.md, as a function of the addresses.
import { clientCredentials, createPortalClient, PortalProblem } from './portal-client.ts'

interface Addresses {
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  customerId: string
}

export async function examples({ baseUrl, tokenUrl, clientId, clientSecret, customerId }: Addresses) {
  const token = clientCredentials({ tokenUrl, clientId, clientSecret, scope: 'ncp:read' })
  const portal = createPortalClient({ baseUrl, token })
  const path = { customerId }

  // A call. Its data has the type of the operation's answer; a refusal is thrown with its stable type.
  let projects = ''
  try {
    const answer = await portal.call('portal.projects', { path })
    projects = answer.data.projects.map(({ projectName }) => projectName).join(', ')
  } catch (error) {
    if (error instanceof PortalProblem && error.status === 404)
      projects = `no such customer (${error.requestId})`
    else throw error
  }

  // All devices, one after the other, without keeping the whole answer in memory.
  let devices = 0
  for await (const device of portal.lines('portal.tree', { path })) {
    if (device.partial?.includes('subscriptions')) throw new Error('try again: subscriptions are unknown')
    devices += 1
  }

  // Receives an event for each change until the loop ends. The client connects again by itself.
  let live = ''
  for await (const event of portal.events('portal.events', { query: path })) {
    if (event.event !== 'alarms') continue
    live = event.data.customerId
    break
  }
  return { projects, devices, live }
}
