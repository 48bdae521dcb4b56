// `npm run demo` and `npm run dev` explain in one sentence why they cannot start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { ROOT } from '../runner/run-file.ts'

async function run(program: string, env: Record<string, string>) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [`test/sandbox/${program}.ts`], {
    cwd: ROOT,
    env: { PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { stderr, code: code as number | null }
}

async function takenPort(t: Test): Promise<string> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return String((server.address() as { port: number }).port)
}

const builtAt = () =>
  statSync(`${ROOT}/dist/client/index.html`, { throwIfNoEntry: false })?.mtimeMs ?? 'never'

for (const program of ['demo', 'dev'])
  t.test(`npm run ${program} refuses a PORT that is no number, before it builds anything`, async (t) => {
    const before = builtAt()
    t.strictSame(await run(program, { PORT: 'abc' }), {
      stderr: 'PORT must be a whole number from 0 to 65535, not "abc"\n',
      code: 1
    })
    t.equal(builtAt(), before)
  })

t.test('npm run dev names a taken port, without a stack', async (t) => {
  const port = await takenPort(t)
  t.strictSame(await run('dev', { PORT: port }), {
    stderr: `Port ${port} is already in use: choose another PORT or SANDBOX_PORT\n`,
    code: 1
  })
})
