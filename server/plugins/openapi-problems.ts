// How openapi.json describes refusals and failures: one response for each status, shared by all operations.
import Type from 'typebox'
import { messageForStatus } from '#shared/messages.ts'
import type { Media, RouteDocs } from '../types.ts'

const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'What went wrong, stable: `urn:portal:problem:{id}`.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'For people.' }),
    code: Type.Optional(Type.String({ description: "The upstream's own code, where it gave one." })),
    requestId: Type.String({ description: "Names the call in the gateway's log." })
  },
  { $id: 'Problem', description: 'RFC 9457.' }
)

interface Refusal {
  name: string
  description: string
  id: string
  title?: string
  detail?: string
  retries?: true
}

const REFUSALS = {
  400: {
    name: 'BadRequest',
    description: 'The call is malformed, or does not say which customer it is about.',
    id: 'bad_request',
    title: 'Bad request',
    detail: 'Say with the header x-customer-id which customer this is about.'
  },
  401: {
    name: 'NotSignedIn',
    description: 'No session, and no access token that is valid and meant for this service.',
    id: 'not_signed_in',
    title: 'Not signed in',
    detail: 'Sign in and try again.'
  },
  403: {
    name: 'NotAllowed',
    description:
      'The roles of the caller, or the scopes of its token, do not allow it; or, with a cookie, it did not come from the portal.',
    id: 'forbidden',
    title: 'Not allowed',
    detail: 'Your roles do not allow this.'
  },
  404: {
    name: 'NotFound',
    description: 'There is no such object, or it does not belong to the customer named.',
    id: 'not_found',
    title: 'Not found',
    detail: 'There is nothing at this address.'
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than 1 MiB.',
    id: 'bad_request',
    title: 'Bad request',
    detail: 'The request could not be understood.'
  },
  429: {
    name: 'TooManyCalls',
    description: 'The client of the token has called too often within a minute.',
    id: 'too_many_calls',
    title: 'Too many calls',
    detail: 'Wait a little before the next call.',
    retries: true
  },
  502: {
    name: 'UpstreamFailed',
    description: 'An upstream failed or was not understood.',
    id: 'upstream_failed'
  },
  503: {
    name: 'Unavailable',
    description: 'An upstream, the authority or the session store is away or overloaded.',
    id: 'upstream_unreachable',
    retries: true
  },
  504: { name: 'UpstreamTimeout', description: 'An upstream did not answer in time.', id: 'upstream_timeout' }
} as const satisfies Record<number, Refusal>

type Status = keyof typeof REFUSALS

const REQUEST_ID = '0b9c4f8e-3d0a-4a53-9a4e-8f6f7a1f2c11'
const OTHER = 'Any other refusal of an upstream, with its code; or a failure of the gateway itself (500).'

function mediaOf(
  status: number,
  { id, title, detail }: Pick<Refusal, 'id' | 'title' | 'detail'>,
  code?: string
) {
  const message = messageForStatus(status)
  const example = {
    type: `urn:portal:problem:${id}`,
    title: title ?? message.title,
    status,
    detail: detail ?? message.text,
    ...(code === undefined ? {} : { code }),
    requestId: REQUEST_ID
  }
  return { schema: ProblemSchema, example } satisfies Media
}

/** A response as openapi.json has it, its schema still to be hoisted. */
export interface ProblemResponse {
  description: string
  headers?: object
  content: { 'application/problem+json': Media }
}

/** The shared responses by name. */
export function problemResponses(): Record<string, ProblemResponse> {
  const shared = Object.entries(REFUSALS as Record<string, Refusal>).map(([status, refusal]) => {
    const { name, description, retries } = refusal
    const headers = {
      'Retry-After': { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 0 }) }
    }
    const content = { 'application/problem+json': mediaOf(Number(status), refusal) }
    return [name, { description, ...(retries ? { headers } : {}), content }] as const
  })
  const content = { 'application/problem+json': mediaOf(500, { id: 'internal' }) }
  return { ...Object.fromEntries(shared), Failed: { description: OTHER, content } }
}

/**
 * The refusals of an operation by status: references to the shared ones, and its own in full.
 * @param about whether it reads a body, and whether it is about an object that may not be there
 */
export function refusalsOf(
  { refusals = {} }: RouteDocs,
  about: { body: boolean; object: boolean; parameters: boolean }
): Record<string, { $ref: string } | ProblemResponse> {
  const statuses: Status[] = [401, 403, 429, 502, 503, 504]
  if (about.parameters || about.body) statuses.push(400)
  if (about.object) statuses.push(404)
  if (about.body) statuses.push(413)
  const shared = statuses.map((status) => [status, reference(REFUSALS[status].name)])
  const own = Object.entries(refusals).map(
    ([status, { description, code, problem = 'upstream_refused' }]) => {
      const known = (REFUSALS as Record<string, Refusal>)[status]
      const media = mediaOf(Number(status), known?.id === problem ? known : { id: problem }, code)
      return [status, { description, content: { 'application/problem+json': media } }]
    }
  )
  return { ...Object.fromEntries([...shared, ...own]), default: reference('Failed') }
}

function reference(name: string) {
  return { $ref: `#/components/responses/${name}` }
}
