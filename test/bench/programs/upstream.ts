// An upstream that costs next to nothing: 2 KB of JSON for any call on PORT, and on HANGING_PORT no answer at all.
import { createServer } from 'node:http'
import { MY_USER, myUser } from './person.ts'

const BODY_BYTES = 2048
/** Reads as a customer of the integrator 7, where an organization is asked for. */
const facts = {
  id: '1000',
  orgName: 'A customer',
  partnerId: '7',
  projectCount: 3,
  deviceCount: 40,
  filler: ''
}
const filler = 'x'.repeat(BODY_BYTES - JSON.stringify(facts).length)
const body = Buffer.from(JSON.stringify({ ...facts, filler }))
const headers = { 'content-type': 'application/json', 'content-length': body.length }

const answering = createServer(({ url, headers: { authorization } }, response) => {
  if (url !== MY_USER) return response.writeHead(200, headers).end(body)
  const user = myUser(authorization)
  return response.writeHead(200, { ...headers, 'content-length': user.length }).end(user)
})
const hanging = createServer((request) => void request.resume())

for (const [server, port] of [
  [answering, process.env.PORT],
  [hanging, process.env.HANGING_PORT]
] as const) {
  // Longer than any run: no connection is closed under a call that is just being sent.
  server.keepAliveTimeout = 600_000
  if (port) server.listen(Number(port), '127.0.0.1')
}
