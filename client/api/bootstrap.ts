import type { Bootstrap } from '#shared/entities.ts'
import { rememberPerson } from '../lib/store.ts'
import { request } from './request.ts'
import { signInSucceeded } from './sign-in.ts'

export interface Loaded {
  bootstrap: Bootstrap
  /** The page's own clock when `bootstrap.now` was read, to tell the gateway's time from then on. */
  receivedAtMs: number
}

export async function loadBootstrap(): Promise<Loaded> {
  const bootstrap = await request<Bootstrap>('/api/portal/v1/bootstrap')
  signInSucceeded()
  rememberPerson(bootstrap.user)
  return { bootstrap, receivedAtMs: performance.now() }
}
