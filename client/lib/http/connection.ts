// Whether the gateway and its session store are reachable. Every call needs both.
import { createStore } from 'zustand/vanilla'

type Connection = 'fine' | 'suspected' | 'lost'

export const connection = createStore<{ state: Connection }>(() => ({ state: 'fine' }))

const STORE_UNAVAILABLE_TYPE = 'urn:portal:problem:session_store_unavailable'

/** Call after a request without an answer, so that the frame checks the connection. Does nothing while offline. */
export function suspectLost(): void {
  if (navigator.onLine && connection.getState().state === 'fine') connection.setState({ state: 'suspected' })
}

export function noteLost(): void {
  if (navigator.onLine) connection.setState({ state: 'lost' })
}

/** Call after each good answer of the gateway. Repeats failed loads, as after being offline. */
export function noteBack(): void {
  const { state } = connection.getState()
  if (state === 'fine') return
  connection.setState({ state: 'fine' })
  if (state === 'lost') window.dispatchEvent(new window.Event('online'))
}

/** Whether the gateway reports that no call can succeed now. Does not consume the body. */
export async function saysLost(response: Response): Promise<boolean> {
  if (response.status !== 503) return false
  const { type } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return type === STORE_UNAVAILABLE_TYPE
}

/** Whether another server answered, such as a load balancer that cannot reach the gateway. */
export const isForeign = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.includes('json')
