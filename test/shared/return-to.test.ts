import t from 'tap'
import { safeReturnTo } from '#shared/return-to.ts'

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

/** Spellings of a page's address that a browser, the gateway or the client's router may read as that page. */
const spellingsOf = (page: string) => [
  page.toUpperCase(),
  `/${page.charAt(1).toUpperCase()}${page.slice(2)}`,
  ...['/', '//', '/x', '?x=1', '#x', '/?x=1#x', '%2f', '%5c'].flatMap((end) => [
    page + end,
    page.toUpperCase() + end
  ]),
  ...[
    '/.',
    '/%2e',
    '/%252e',
    '/a/..',
    '/a/%2E%2e',
    '/a/..%2f',
    '/%2f',
    '/%5C',
    '/a/..%5c',
    '/a%2f..',
    '/a/%252e%252e'
  ].map((start) => start + page),
  `/${encoded(page.slice(1))}`,
  `/${encoded(page.slice(1).toUpperCase())}/`,
  `/${encoded(page.slice(1)).replaceAll('%', '%25')}`,
  `/${encoded(page.slice(1)).replaceAll('%', '%2525')}?x=1`,
  `/${encoded(page.charAt(1))}${page.slice(2)}/%`
]

const encoded = (text: string) =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')

t.test('replaces every spelling of the sign-out page, and of others that are no screen', async (t) => {
  const [publicUrl] = OURS
  for (const page of ['/logout', '/signed-out', '/signin-failed', '/auth/login', '/callback', '/api/portal'])
    for (const spelling of spellingsOf(page)) t.equal(safeReturnTo(spelling, publicUrl), '/', spelling)
  for (const spelling of ['/API/docs', '/api/docs/', '/api/Docs', '/api/docs/..%2f..%2flogout'])
    t.equal(safeReturnTo(spelling, publicUrl), '/', spelling)
})

t.test('keeps the path of a page with its query and fragment', async (t) => {
  const paths = [
    '/api/docs',
    ...'/ /customers /customers/c-1001?project=3&page=2#row /customers/St.%20Brigid'.split(' '),
    ...'/authors /apis /callbacks /customers/auth/login /search?q=https://evil.example'.split(' '),
    ...'/search?q=//evil.example /%2F%2Fevil.example'.split(' '),
    ...'/Logouts /customers/logout /customers/LOGOUT?x=/logout#/logout /customers/a%25b /customers/50%'.split(
      ' '
    ),
    `/${'a'.repeat(1023)}`,
    `/${'%25'.repeat(340)}`
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
