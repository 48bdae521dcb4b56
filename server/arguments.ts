// Reads the arguments of `npm start -- …`. An unknown argument stops the start: a misspelt `--check` would start a gateway.
import { parseArgs } from 'node:util'
import { distance } from 'fastest-levenshtein'

const OPTIONS = {
  check: { type: 'boolean', default: false },
  secrets: { type: 'string' },
  rotate: { type: 'boolean', default: false },
  'redis-secrets': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false }
} as const

export const HELP = `Usage: npm start -- [option]

Without an option, starts the gateway. Settings come from the environment (.env.example lists them).

  --check                   tries the settings, Redis, the authority and the APIs, and says how to correct mistakes
  --secrets FOLDER          creates missing secrets in the folder, and reports those that the gateway cannot read
    --rotate                adds a new session secret before the old ones
    --redis-secrets FOLDER  copies the password of Redis into a folder of its own
  --help                    shows this text
`

export interface Arguments {
  check: boolean
  help: boolean
  /** The folder of secrets, if they are to be prepared. */
  secrets?: string | undefined
  rotate: boolean
  redisSecrets?: string | undefined
}

/** The arguments after the program's name. Throws an error whose message names the mistake and the nearest option. */
export function readArguments(args: readonly string[]): Arguments {
  const { tokens, values } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true
  })
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Error(`${token.value} is not an option: see --help`)
    if (token.kind !== 'option') continue
    const option = OPTIONS[token.name as keyof typeof OPTIONS]
    if (option === undefined)
      throw new Error(`${token.rawName} is not an option: did you mean ${nearest(token.name)}?`)
    const hasValue = token.value !== undefined && token.value !== '' && !token.value.startsWith('--')
    if (option.type === 'string' && !hasValue) throw new Error(`${token.rawName} needs a folder`)
    if (option.type === 'boolean' && token.value !== undefined)
      throw new Error(`${token.rawName} takes no value`)
  }
  const folderIn = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined)
  const secrets = folderIn(values.secrets)
  const redisSecrets = folderIn(values['redis-secrets'])
  const rotate = values.rotate === true
  if (secrets === undefined && (rotate || redisSecrets !== undefined))
    throw new Error('--rotate and --redis-secrets need --secrets')
  return { check: values.check === true, help: values.help === true, rotate, secrets, redisSecrets }
}

function nearest(name: string): string {
  const names = Object.keys(OPTIONS)
  return `--${names.toSorted((a, b) => distance(name, a) - distance(name, b))[0]}`
}
