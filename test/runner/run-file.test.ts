import { relative } from 'node:path'
import t, { type Test } from 'tap'
import { testEnvironment } from './environment.ts'
import { ROOT, runFile } from './run-file.ts'

const LIMITS = { seconds: 60, lastWordsSeconds: 10 }
const env = testEnvironment(process.env)
// Those that run past their time are waited for side by side.
t.jobs = 3

/** Runs a file with this text. */
function run(t: Test, lines: string, limits = LIMITS) {
  const folder = t.testdir({ 'some.test.ts': `import t from 'tap'\n${lines}` })
  return runFile(relative(ROOT, `${folder}/some.test.ts`), env, limits)
}

/** Past which a file has said all that it will: longer than it takes to start one here, and than a machine stands still. */
const late = { ...LIMITS, seconds: 4 + 4 * (await startingSeconds()) }

async function startingSeconds(): Promise<number> {
  return (await run(t, 't.pass()')).seconds
}

t.test('a file that crashes counts what it has shown, and one failure at least', async (t) => {
  const { passed, failures, said } = await run(t, `t.ok(true)\nprocess.stderr.write('why')\nprocess.exit(3)`)
  t.equal(passed, 1)
  t.ok(failures.length > 0)
  t.equal(said, 'why')
  const unread = await run(t, `import './nowhere.ts'`)
  t.equal(unread.failures.length, 1)
  t.match(unread.said, 'nowhere.ts')
})

t.test(
  'one that runs past its time is a failure that names what was waited for',
  { buffered: true },
  async (t) => {
    const { passed, failures } = await run(
      t,
      `t.test('before', async (t) => t.ok(true))
     t.test('an answer that never comes', () => new Promise(() => setInterval(() => {}, 1000)))`,
      late
    )
    t.equal(passed, 1)
    t.match(failures, [{ name: /an answer that never comes/ }])
  }
)

t.test(
  'one whose process goes on after its tests is a failure, and names what keeps it',
  { buffered: true },
  async (t) => {
    const { failures } = await run(
      t,
      `import { createServer } from 'node:net'\nt.ok(true)\ncreateServer().listen()`,
      late
    )
    t.match(failures, [{ diagnosis: { handles: [{ type: 'Server' }] } }])
  }
)

t.test('one too busy to say so is ended', { buffered: true }, async (t) => {
  const { failures } = await run(t, `t.ok(true)\nfor (;;);`, { ...late, lastWordsSeconds: 1 })
  t.match(failures, [{ name: 'ended with SIGKILL' }])
})

t.test('what a file leaves running ends with it', async (t) => {
  const { failures } = await run(
    t,
    `import { spawn } from 'node:child_process'
     spawn('sleep', ['1000'], { stdio: 'inherit' }).unref()
     t.pass()`
  )
  t.strictSame(failures, [])
})

t.test('failed assertions are named with the groups they are in, and groups are not counted', async (t) => {
  const { passed, failures } = await run(
    t,
    `t.test('a group', async (t) => {
       t.equal(1, 1)
       t.equal(1, 2, 'is two')
     })
     t.ok(true)`
  )
  t.equal(passed, 2)
  t.match(failures, [{ name: /a group.*is two/, diagnosis: { diff: /-2/ } }])
})

t.test('what the tools of a run set is not handed on', async (t) => {
  const shell = {
    PATH: '/bin',
    NODE_OPTIONS: '--x',
    TAP_CHILD_ID: '1',
    npm_config_x: 'y',
    REDIS_URL: 'redis:'
  }
  t.strictSame(testEnvironment(shell, { MORE: '1' }), { TZ: 'UTC', PATH: '/bin', MORE: '1' })
})
