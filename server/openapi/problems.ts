// Describes refusals and failures in openapi.json: one response per status, shared by all operations.
import Type from 'typebox'
import { Problem as ProblemBody } from '#shared/answers/portal.ts'
import { Problem, problemBody, problems } from '../errors.ts'
import type { Refusal } from '../types.ts'
import type { Operation } from './document.ts'

const REQUEST_ID = '0b9c4f8e-3d0a-4a53-9a4e-8f6f7a1f2c11'
const RETRY_AFTER = { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 0 }) }
/** The headers of every answer to an access token about the calls that it may make. */
const QUOTA_HEADERS = {
  'RateLimit-Policy': {
    description: 'For access tokens: the number of calls (`q`) within seconds (`w`), on each replica.',
    schema: Type.String(),
    example: '"default";q=6000;w=60'
  },
  RateLimit: {
    description:
      'For access tokens: the number of calls left (`r`) until more are available in seconds (`t`).',
    schema: Type.String(),
    example: '"default";r=0;t=30'
  }
}

/** By status: the name of the response, its meaning and an example. */
const SHARED: Record<string, [name: string, meaning: string, example: Problem]> = {
  400: [
    'BadRequest',
    'The call is malformed, or does not name its customer.',
    problems.badRequest('The header x-customer-id must name the customer.')
  ],
  401: [
    'NotSignedIn',
    'There is neither a session nor a valid access token for this service.',
    problems.notSignedIn()
  ],
  403: [
    'NotAllowed',
    'The roles of the caller or the scopes of its token do not allow the call; or a call with a cookie did not come from the portal.',
    problems.forbidden()
  ],
  404: [
    'NotFound',
    'The object does not exist, or does not belong to the named customer.',
    problems.notFound()
  ],
  413: ['TooLarge', 'The body is larger than any call needs.', problems.bodyTooLarge()],
  429: [
    'TooManyCalls',
    'The caller has sent too many calls or bytes within a minute, or has too many calls in progress.',
    problems.tooManyCalls(1)
  ],
  502: [
    'UpstreamFailed',
    'An upstream failed or gave an answer that cannot be read.',
    problems.upstreamGarbled()
  ],
  503: [
    'Unavailable',
    'An upstream, the authority or the session store is unreachable or overloaded.',
    problems.upstreamUnreachable()
  ],
  504: [
    'UpstreamTimeout',
    'An upstream did not answer in time, or its connection ended during a change, which it may have carried out.',
    problems.upstreamTimeout()
  ],
  default: [
    'Failed',
    'Another refusal of an upstream, with its code; or a failure of the gateway itself (500).',
    new Problem(500, 'internal')
  ]
}

/** The shared responses by name. */
export function sharedRefusals(): Record<string, object> {
  return Object.fromEntries(
    Object.values(SHARED).map(([name, meaning, example]) => [name, responseOf(meaning, example)])
  )
}

/** A refusal of a single route. */
export function ownRefusal(refusal: Refusal, status: string): object {
  const { description, code, problem = 'upstream_refused' } = refusal
  return responseOf(description, new Problem(Number(status), problem, { code }))
}

function responseOf(description: string, example: Problem): object {
  const media = { schema: ProblemBody, example: problemBody(example, REQUEST_ID) }
  const headers = {
    ...(example.options.retryAfterSeconds === undefined ? {} : { 'Retry-After': RETRY_AFTER }),
    ...(example.status === 429 ? QUOTA_HEADERS : {})
  }
  return {
    description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { 'application/problem+json': media }
  }
}

/** References to the shared responses of an operation, by status. */
export function refusalsOf(operation: Operation): Record<string, { $ref: string }> {
  const { parameters, requestBody, 'x-portal-scope': scope } = operation
  const isOmitted: Record<string, boolean> = {
    400: parameters === undefined && requestBody === undefined,
    // The call names no object, so nothing can be missing.
    404: scope === undefined || scope === 'root' || scope === 'anywhere',
    413: requestBody === undefined
  }
  const statuses = Object.entries(SHARED).filter(([status]) => !isOmitted[status])
  return Object.fromEntries(
    statuses.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }])
  )
}
