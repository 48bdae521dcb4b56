// The sandbox as a separate process, with tokens that outlive any run.
import { type SandboxOptions, startSandbox } from '#test/sandbox/app.ts'
import { answer } from './answer.ts'

let calls: unknown[] = []

answer({
  async start(options: SandboxOptions) {
    const sandbox = await startSandbox({ ...options, accessTokenSeconds: 24 * 3600 })
    const { issuer, url, client } = sandbox
    calls = sandbox.calls
    return { issuer, url, client }
  },
  calls: () => calls.splice(0).length
})
