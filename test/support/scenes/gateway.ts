// The parts that most tests of a gateway start: a sandbox, an upstream that the test controls, and the gateway.
import { type Sandbox, type SandboxOptions, startSandbox } from '#test/sandbox/app.ts'
import { type Browser, type Portal, type PortalOptions, signIn, startPortal } from '#test/support/portal.ts'
import { type ControlledUpstream, startControlledUpstream } from '../controlled-upstream.ts'
import type { Test } from '../teardown.ts'

/** A sandbox that stops with the test. */
export async function openSandbox(t: Test, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  t.teardown(sandbox.stop)
  return sandbox
}

export interface Gateway {
  sandbox: Sandbox
  /** Forwards the calls of the gateway to the sandbox, unless a test decides otherwise. */
  upstream: ControlledUpstream
  portal: Portal
  /** A new session. */
  signInAs(username: string): Promise<Browser>
}

/** A gateway with a controlled upstream, and with a sandbox of its own if none is given. */
export async function openGateway(t: Test, options: PortalOptions = {}): Promise<Gateway> {
  const sandbox = options.startedSandbox ?? (await openSandbox(t, options.sandbox))
  const upstream = await startControlledUpstream(t, sandbox)
  const portal = await startPortal(t, {
    ...options,
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url, ...options.env }
  })
  return { sandbox, upstream, portal, signInAs: (username) => signIn(portal.url, sandbox, username) }
}
