// One Fastify server for all upstream APIs.
import Fastify, { type FastifyInstance } from 'fastify'
import type { State } from '../state.ts'
import { UPSTREAMS } from '../upstreams/list.ts'
import { requireBearer, type Trust } from './bearer.ts'
import type { CallLog } from './calls.ts'
import { answerProblems } from './problems.ts'

export async function createApi(
  state: State,
  trust: Trust,
  calls: CallLog,
  publicUrl: string
): Promise<FastifyInstance> {
  const api = Fastify({ logger: false, genReqId: () => crypto.randomUUID() })
  acceptEmptyJson(api)
  answerProblems(api)
  requireBearer(api, state, trust)
  api.addHook('preHandler', async (request) => calls.addBody(request.raw, request.body))
  for (const upstream of UPSTREAMS) upstream(api, state, publicUrl)
  await api.ready()
  return api
}

// An empty JSON body counts as missing: some calls have no body.
function acceptEmptyJson(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  api.removeAllContentTypeParsers()
  api.addContentTypeParser(/^application\/(?:.+\+)?json/, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}
