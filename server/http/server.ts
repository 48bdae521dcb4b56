// Creates the gateway's Fastify server with limits, log, and answers to errors and unknown addresses.
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { ID_MAX_ENCODED_CHARACTERS } from '#shared/scopes.ts'
import type { Config } from '../config/settings.ts'
import { answerMalformed, handleError, problems, sendProblem } from '../errors.ts'
import { traceIdOf } from '../observability/trace.ts'
import type { Log } from '../types.ts'
import { type Limits, serverOptions } from './limits.ts'

const LEVELS_WITH_INFO = ['trace', 'debug', 'info']

export function createServer(
  { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>,
  log: Log,
  limits: Limits
): FastifyInstance {
  const app = Fastify({
    ...serverOptions(limits),
    // main.ts logs in one line where the gateway listens; Fastify would log a line for each address.
    loggerInstance: LEVELS_WITH_INFO.includes(log.level) ? log.child({}, { level: 'warn' }) : log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: TRUST_PROXY ?? false,
    routerOptions: { caseSensitive: true, maxParamLength: ID_MAX_ENCODED_CHARACTERS },
    // Validation must not change a request: access/enforce.ts has already decided on it.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    exposeHeadRoutes: false,
    frameworkErrors: handleError,
    clientErrorHandler: answerMalformed,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    // Creates child loggers without options: even empty options would rebuild the formatters for every request.
    childLoggerFactory: (_logger, bindings, _options, { headers }) =>
      log.child({ ...bindings, traceId: traceIdOf(headers, String(bindings.requestId)) }),
    // While the server stops, calls on open connections are still answered (lifecycle/stop.ts).
    return503OnClosing: false
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  return app
}
