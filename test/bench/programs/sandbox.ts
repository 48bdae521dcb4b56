// The sandbox in a process of its own, with tokens that outlive any run.
import { type SandboxOptions, startSandbox } from '#test/sandbox/app.ts'
import { answer } from './answer.ts'

answer({
  async start(options: SandboxOptions) {
    const { issuer, url, client } = await startSandbox({ ...options, accessTokenSeconds: 24 * 3600 })
    return { issuer, url, client }
  }
})
