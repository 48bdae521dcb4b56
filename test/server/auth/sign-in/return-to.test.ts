import t from 'tap'
import { safeReturnTo } from '#server/auth/sign-in/return-to.ts'

const OURS = ['http://localhost:3000', 'https://portal.example.com'] as const

/** Known open-redirect prefixes. The test combines each prefix with each host. */
const SCHEMES_AND_SLASHES = String.raw`
  // /// ///// /\ /\/ /\\ //\ \ \\ \/ \/\/ /./\ /.// /..// /a/..// /a/../..// /%2e// /%2E%2e// /.%2e// /a/%2e%2e//
  /／ ／／ /＼ http:// https:// HTTPS:// hTTp:// https: https:/ https:/// https:\\ https:\/\/ http:/\ ftp:// ws://
  file:// blob:https:// view-source:https:// javascript:// javascript: JaVaScRiPt: data:text/html, vbscript: mailto:
  @ :@ . :80/ #// ?// ;// *// %2f%2f %5c%5c %0d%0a//`
const BLANKS = ['\t', '\n', '\r', '\r\n', '\0', '\u000b', ' ', '\u00a0', '\u2028', '\ufeff', '\u0001']
const PREFIXES = [
  '',
  ...SCHEMES_AND_SLASHES.trim().split(/\s+/),
  ...BLANKS.flatMap((blank) => [`/${blank}/`, `${blank}//`, `${blank}https://`, `ht${blank}tps://`])
]
const HOSTS = ['evil.example', 'evil.example/a?b#c', 'localhost:3000@evil.example', '①⑥⑨.254.1']
const ADDRESSES = [
  ...'. .. ./ ../ ?x=1 #x home javascript:alert(1) http:evil.example https:evil.example'.split(' '),
  ...'http://localhost:3000 http://localhost:3000/customers https://portal.example.com/customers'.split(' '),
  ...'https://portal.example.com.evil.example/ //localhost:3000/ //portal.example.com/ /kunden/ä'.split(' '),
  ...String.raw`/customers\..\evil /customers?next=\evil`.split(' '),
  ...'/auth /auth/ /auth/login /auth/logout?x=1 /api /api/portal/v1/bootstrap /logout'.split(' '),
  ...'/callback /callback?code=x&state=y /callback#x /signin-failed /signin-failed?reason=expired'.split(' '),
  ...'/signed-out /a/../auth/login /./auth/login /%2e/auth/login /a/%2e%2e/api/portal'.split(' '),
  ...['', ' ', '\0', 'java\nscript:alert(1)', '/customers\r\nSet-Cookie: portal=x', '/customers\t'],
  ...['/customers\nLocation: https://evil.example', '/customers x', `/${'a'.repeat(1024)}`]
]

t.test('replaces addresses that are no page of the portal with the start page', async (t) => {
  const corpus = [...PREFIXES.flatMap((prefix) => HOSTS.map((host) => prefix + host)), ...ADDRESSES]
  t.ok(corpus.length >= 300, `${corpus.length} strings`)
  for (const publicUrl of OURS)
    for (const value of corpus)
      t.equal(safeReturnTo(value, publicUrl), '/', encodeURIComponent(value).slice(0, 60))
  const values = [undefined, null, 0, true, {}, [], ['/a'], ['/a', '/b'], { toString: () => '/customers' }]
  for (const value of values) t.equal(safeReturnTo(value, OURS[0]), '/')
})

t.test('keeps the path of a page with its query and fragment', async (t) => {
  const paths = [
    '/api/docs',
    ...'/ /customers /customers/c-1001?project=3&page=2#row /customers/St.%20Brigid'.split(' '),
    ...'/authors /apis /callbacks /customers/auth/login /search?q=https://evil.example'.split(' '),
    ...'/search?q=//evil.example /%2F%2Fevil.example'.split(' '),
    `/${'a'.repeat(1023)}`
  ]
  for (const publicUrl of OURS) for (const path of paths) t.equal(safeReturnTo(path, publicUrl), path, path)
})

t.test('stays on our origin for every combination of special parts', async (t) => {
  const [, origin] = OURS
  const parts = [...String.raw`/ \ . .. %2f %5c %2e @ : ? # evil.example a %09 ;`.split(' '), '\t']
  for (const a of parts)
    for (const b of parts)
      for (const c of parts) {
        const value = `/${a}${b}${c}evil.example`
        const path = safeReturnTo(value, origin)
        const target = new URL(path, origin)
        if (target.origin !== origin || /^\/[/\\]/.test(path))
          t.fail(`${JSON.stringify(value)} leads to ${target.href}`)
      }
  t.pass(`${parts.length ** 3} strings`)
})
