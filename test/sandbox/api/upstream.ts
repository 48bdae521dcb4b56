import type { FastifyInstance } from 'fastify'
import type { State } from '../state.ts'

export type Upstream = (api: FastifyInstance, state: State, publicUrl: string) => void

export const MANAGEMENT = '/api/v2/management'

export function params(request: { params: unknown }): Record<string, string> & { id: string } {
  return request.params as Record<string, string> & { id: string }
}
