import t from 'tap'
import { HELP, readArguments } from '#server/arguments.ts'
import { runGateway } from '../support/gateway-process.ts'

const MISTAKES: [args: string[], message: RegExp][] = [
  [['--chek'], /^--chek is not an option: did you mean --check\?$/],
  [['--check', '--secret', 'x'], /^--secret is not an option: did you mean --secrets\?$/],
  [['--hlep'], /did you mean --help\?$/],
  [['check'], /^check is not an option: see --help$/],
  [['--secrets'], /^--secrets needs a folder$/],
  [['--secrets', ''], /^--secrets needs a folder$/],
  [['--secrets', '--rotate'], /^--secrets needs a folder$/],
  [['--check=yes'], /^--check takes no value$/],
  [['--rotate'], /need --secrets$/],
  [['--redis-secrets', 'x'], /need --secrets$/],
  [['-x'], /^-x is not an option/]
]

for (const [args, message] of MISTAKES)
  t.test(`refuses ${args.join(' ')}`, async (t) => {
    t.throws(() => readArguments(args), { message })
  })

t.test('reads the arguments of each program', async (t) => {
  t.match(readArguments([]), { check: false, help: false, rotate: false })
  t.match(readArguments(['--check']), { check: true })
  t.match(readArguments(['-h']), { help: true })
  t.match(readArguments(['--secrets', '/run/portal', '--redis-secrets', '/run/redis', '--rotate']), {
    secrets: '/run/portal',
    redisSecrets: '/run/redis',
    rotate: true
  })
})

t.test('a misspelt argument stops the start, and --help needs no settings', async (t) => {
  const [misspelt, help] = await Promise.all([runGateway({}, '--chek'), runGateway({}, '--help')])
  t.strictSame(misspelt, {
    code: 1,
    stdout: '',
    stderr: '--chek is not an option: did you mean --check?\n'
  })
  t.strictSame(help, { code: 0, stdout: HELP, stderr: '' })
  for (const option of ['--check', '--secrets', '--rotate', '--redis-secrets']) t.match(HELP, option)
})
