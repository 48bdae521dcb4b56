// The sandbox in a process of its own, with tokens that outlive any run.
import { startSandbox } from '#test/sandbox/app.ts'
import { answer } from './answer.ts'

answer({
  async start() {
    const { issuer, url, client } = await startSandbox({ accessTokenSeconds: 24 * 3600 })
    return { issuer, url, client }
  }
})
