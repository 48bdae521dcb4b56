// Readers of setting values: each parses a text, or throws.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** Reads one setting's text. Throws an Error whose message completes "NAME must be …". */
export type Reader<T> = (text: string) => T

function must(what: string): never {
  throw new Error(`must be ${what}`)
}

export const text: Reader<string> = (value) => value

export const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Reads each entry of a list. Throws if `read` returns undefined. */
const listOf =
  <T>(read: (entry: string) => T | undefined, what: string): Reader<T[]> =>
  (value) =>
    list(value).map((entry) => read(entry) ?? must(`${what}, separated by commas`))

export function integer(min: number, max: number): Reader<number> {
  return (value) => {
    const number = Number(value)
    // Kubernetes sets METRICS_PORT=tcp://… in all pods of a namespace with a service named `metrics`.
    if (value.startsWith('tcp://'))
      must('a number; Kubernetes has set an address: set enableServiceLinks: false for the pod')
    return Number.isInteger(number) && number >= min && number <= max
      ? number
      : must(`a whole number from ${min} to ${max}`)
  }
}

export function oneOf<const T extends string>(...allowed: T[]): Reader<T> {
  return (value) => allowed.find((entry) => entry === value) ?? must(`one of ${allowed.join(', ')}`)
}

function webAddress(value: string): URL {
  const url = URL.parse(value)
  return url && /^https?:$/.test(url.protocol)
    ? url
    : must('an http(s) address such as https://api.example.com')
}

/** An http(s) address without query, fragment or credentials. Drops the trailing slash. */
export const httpUrl: Reader<string> = (value) => {
  const { href, username, password } = webAddress(value)
  return /[?#]/.test(value) || username !== '' || password !== ''
    ? must('an address without query, fragment or credentials')
    : href.replace(/\/+$/, '')
}

/** An issuer is compared character by character (RFC 8414, section 3.3), so a trailing slash belongs to it. */
export const issuer: Reader<string> = (value) => {
  const address = httpUrl(value)
  return value.endsWith('/') ? `${address}/` : address
}

/** An http(s) address of a page; it may have a query and a fragment. */
export const pageUrl: Reader<string> = (value) => webAddress(value).href

/** An http(s) origin, without a path. */
export const origin: Reader<string> = (value) => {
  const address = httpUrl(value)
  return new URL(address).origin === address
    ? address
    : must('an origin such as https://portal.example.com, without a path')
}

export const redisUrl: Reader<string> = (value) => {
  const url = URL.parse(value)
  if (!url || !/^rediss?:$/.test(url.protocol)) must('a redis:// or rediss:// address')
  decoded(`${url.username}:${url.password}`, 'an address with a user name and password')
  return value
}

function hostAndPort(entry: string): { host: string; port: number } | undefined {
  const [, host, port = ''] = /^\[?([^\]\s/]+?)\]?:(\d+)$/.exec(entry) ?? []
  return host !== undefined && Number(port) > 0 && Number(port) < 65_536
    ? { host, port: Number(port) }
    : undefined
}

export const hostsAndPorts = listOf(hostAndPort, 'host:port with a port up to 65535')

const sentinelList = listOf((entry) => {
  const address = hostAndPort(entry.replace(/^rediss:\/\//, ''))
  return address && { ...address, tls: entry.startsWith('rediss://') }
}, 'host:port or rediss://host:port with a port up to 65535')

/** Addresses of Sentinels, all with TLS or all without. */
export const sentinels: typeof sentinelList = (value) => {
  const entries = sentinelList(value)
  return entries.every(({ tls }) => tls === entries[0]?.tls)
    ? entries
    : must('addresses that all begin with rediss://, or none')
}

/** Addresses and networks of proxies for Fastify's `trustProxy`. Refuses a network that contains all addresses. */
export const proxies = listOf((entry) => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return entry
  const [address = '', bits = '1'] = entry.split('/')
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return /^\d+$/.test(bits) && Number(bits) > 0 && Number(bits) <= bitsMax ? entry : undefined
}, 'addresses or networks such as 10.0.0.0/8')

/** Secrets, separated by commas, of at least 32 characters each. */
export const secrets: Reader<string[]> = (value) => {
  const entries = list(value)
  return entries.length > 0 && entries.every((entry) => entry.length >= 32)
    ? entries
    : must(
        'secrets of at least 32 characters, separated by commas (create one with: openssl rand -base64 48)'
      )
}

/** `label|address` pairs. */
export const links = listOf((entry) => {
  const [label = '', url = ''] = entry.split('|').map((part) => part.trim())
  return label !== '' && URL.canParse(url) ? { label, url: pageUrl(url) } : undefined
}, 'Label|https://address')

/** Names of flags, separated by commas; a leading minus turns a flag off. */
export function flags<const T extends string>(
  names: readonly T[],
  defaults: Record<T, boolean>
): Reader<Record<T, boolean>> {
  return (value) => {
    const result = { ...defaults }
    for (const entry of list(value)) {
      const isOff = entry.startsWith('-')
      const name = names.find((flag) => flag === entry.slice(isOff ? 1 : 0))
      if (name === undefined) must(`a list of the flags ${names.join(', ')}; a leading minus turns one off`)
      else result[name] = !isOff
    }
    return result
  }
}

export const hostNames = listOf(
  (entry) => (/^[\w.-]+$/.test(entry) || isIP(entry) === 6 ? entry.toLowerCase() : undefined),
  'host names'
)

/** Hosts with an optional port; IPv6 in brackets. */
export const fileHosts = listOf((entry) => {
  const address = isIP(entry) === 6 ? `[${entry}]` : entry
  const [, host = '', port = ''] = /^([\w.-]+|\[[\da-f:.]+\])(:[1-9]\d*)?$/i.exec(address) ?? []
  return URL.canParse(`http://${host}${port}`) ? new URL(`http://${host}`).hostname + port : undefined
}, 'host names such as files.example.com or files.example.com:8443')

/** A private key that signs for the client (RFC 7523), with the name of its algorithm (RFC 7518, section 3.1). */
export interface ClientKey {
  key: KeyObject
  algorithm: 'RS256' | 'ES256'
  /** The `kid` of a JWK. */
  id: string | undefined
}

const KEY_FORMS = 'a private key, as PEM or JWK: RSA of at least 2048 bits, or EC on P-256'
const EC_ALGORITHMS: Record<string, ClientKey['algorithm']> = { prime256v1: 'ES256' }
const RSA_BITS_MIN = 2048

/** A JWK, or PEM whose line ends may be written as `\n`. Errors never quote the key. */
export const clientKey: Reader<ClientKey> = (value) => {
  try {
    const jwk = value.startsWith('{') ? JSON.parse(value) : null
    const key = createPrivateKey(jwk === null ? value.replaceAll('\\n', '\n') : { key: jwk, format: 'jwk' })
    const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
    const isRsa = key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN
    const algorithm = isRsa ? 'RS256' : EC_ALGORITHMS[namedCurve]
    if (algorithm === undefined) return must(KEY_FORMS)
    return { key, algorithm, id: typeof jwk?.kid === 'string' ? jwk.kid : undefined }
  } catch {
    return must(KEY_FORMS)
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Splits a file of PEM certificates. */
export const certificates: Reader<string[]> = (value) => {
  const blocks = value.match(CERTIFICATE) ?? []
  try {
    for (const block of blocks) new X509Certificate(block)
  } catch {
    return must('a file of certificates in PEM')
  }
  return blocks.length > 0 ? blocks : must('a file of certificates in PEM')
}

/** Parameters that the gateway sets (OpenID Connect Core, section 3.1.2.1, RFC 7636, section 4.3), and prompt=none. */
const RESERVED_PARAMETERS =
  /^(?:client_id|redirect_uri|response_(?:type|mode)|scope|state|nonce|code_challenge(?:_method)?|request(?:_uri)?)=|^prompt=.*\bnone\b/

/** A part of a whole. */
export const share: Reader<number> = (value) => {
  const number = Number(value)
  return value !== '' && number >= 0 && number <= 1 ? number : must('a number from 0 to 1')
}

/** `name=value,…`, with values that are percent-encoded (W3C Baggage, as OpenTelemetry asks for). */
export const headers: Reader<Record<string, string>> = (value) =>
  Object.fromEntries(
    list(value).map((entry) => {
      const [, name = '', text = ''] = /^([!#$%&'*+.^`|~\w-]+)=([\x21-\x7e]+)$/.exec(entry) ?? []
      if (name === '')
        must('headers such as api-key=secret, separated by commas, with percent-encoded values')
      return [name.toLowerCase(), decoded(text, 'headers with values')]
    })
  )

/** Decodes percent-encoded text. @param what begins the message if that is impossible */
function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return must(`${what} that are percent-encoded: a percent sign is %25`)
  }
}

/** `name=value&…`, as in a query. */
export const parameters: Reader<Record<string, string>> = (value) => {
  const pairs = [...new URLSearchParams(value)]
  const isValid = pairs.length > 0 && pairs.every(([name, entry]) => /^\w+$/.test(name) && entry !== '')
  if (!isValid) must('parameters such as prompt=consent, separated by &')
  if (pairs.some((pair) => RESERVED_PARAMETERS.test(pair.join('='))))
    must('without prompt=none and without parameters that the gateway sets, such as state')
  return Object.fromEntries(pairs)
}
