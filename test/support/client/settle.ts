import { setImmediate } from 'node:timers/promises'
import { act } from '@testing-library/react'

/** Many, because on a busy machine work is done in more pieces. */
const TURNS = 200

/** Lets answers arrive while the timers are mocked: reading a body takes some turns of the event loop, which no timer counts. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
}

/** Like `turns`, and renders what has arrived. */
export const settle = () => act(turns)
