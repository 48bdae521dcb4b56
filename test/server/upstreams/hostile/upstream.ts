// An upstream that answers like the sandbox, except for one call of each session. A token identifies its session.
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Sandbox } from '#test/sandbox/app.ts'
import { type Asked, askSandbox, startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { ownObject } from '../../access/grid-upstream.ts'
import type { Honest, HostileAnswer, Sent } from './answers.ts'

export interface Caller {
  made: Set<string>
  scope: number
  hostile?: { name: string; answer: HostileAnswer; asked: number }
}

export interface HostileUpstream {
  url: string
  expect(userId: string, caller: Caller): void
  honest: Map<string, Honest>
}

const ITEMS = 5
const PLAN = { offeringCode: 'NDS', planLimit: 10 }
const COLLECTIONS = ['organizations', 'customers', 'users', 'serviceAccounts', 'exports']

export function nameOf(method: string, pathname: string): string {
  const segments = pathname.split('/')
  const names = segments.map((segment, at) =>
    COLLECTIONS.includes(segments[at - 1] ?? '') ? ':id' : segment
  )
  return `${method} ${names.join('/')}`
}

export async function startHostileUpstream(t: Test, sandbox: Sandbox): Promise<HostileUpstream> {
  const callers = new Map<string, Caller>()
  const expectedCallers = new Map<string, Caller>()
  const cache = new Map<string, Promise<object | null>>()

  async function honestOf(asked: Asked, caller: Caller): Promise<Honest | null> {
    const { by, method, target, body } = asked
    const { pathname } = new URL(target, 'http://upstream')
    const key = `${by} ${method} ${target} ${body}`
    const lookup = cache.get(key) ?? ask(sandbox, asked)
    cache.set(key, lookup)
    const reply = await lookup
    if (reply === null) return null
    const json = trim(reply)
    if (pathname.endsWith('/myUser')) addScope(json, caller.scope)
    const [rel = null] = Object.keys((json as { _embedded?: object })._embedded ?? {})
    return { json, text: JSON.stringify(json), rel, target }
  }

  const controlledUpstream = await startControlledUpstream(t, sandbox)
  const upstream: HostileUpstream = {
    url: controlledUpstream.url,
    expect: (userId, caller) => void expectedCallers.set(userId, caller),
    honest: new Map()
  }
  controlledUpstream.rule = async (asked) => {
    const { by, method, target, request } = asked
    const { authorization = '' } = request.headers
    const caller = callers.get(authorization) ?? expectedCallers.get(by)
    if (caller === undefined) return { status: 200 }
    callers.set(authorization, caller)
    // The sandbox does not execute proxied calls.
    if (request.headers['x-forwarded-for'] !== undefined) return { status: 200 }
    const name = nameOf(method, new URL(target, 'http://upstream').pathname)
    caller.made.add(name)
    const honest = await honestOf(asked, caller)
    if (honest === null) return { status: 404 }
    upstream.honest.set(name, honest)
    const { hostile } = caller
    if (hostile?.name !== name) return { status: 200, body: honest.json }
    hostile.asked += 1
    return () => void send(request.socket, hostile.answer(honest))
  }
  return upstream
}

async function send(socket: Socket, pieces: Sent): Promise<void> {
  socket.on('error', () => {})
  for (const piece of pieces) {
    if (socket.destroyed) return
    if (typeof piece === 'number') await wait(piece)
    else if (!socket.write(piece)) await waitForDrain(socket)
  }
  socket.end()
}

function waitForDrain(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      socket.off('drain', resume).off('close', resume)
      resolve()
    }
    socket.once('drain', resume).once('close', resume)
  })
}

async function ask(sandbox: Sandbox, asked: Asked): Promise<object | null> {
  const ownBody = ownObject(new URL(asked.target, 'http://upstream').pathname)
  if (ownBody !== null) return ownBody
  const { status, text } = await askSandbox(sandbox, asked)
  // The sandbox does not know invented ids of hostile answers.
  return status < 300 ? (JSON.parse(text) as object) : null
}

function trim(body: object): object {
  if (Array.isArray(body))
    return body
      .slice(0, ITEMS)
      .map((item, index) => ({ ...item, ...(index === 0 ? PLAN : { offeringCode: 'Recover' }) }))
  const { _embedded: lists, ...rest } = body as { _embedded?: Record<string, object[]> }
  if (lists === undefined) return structuredClone(body)
  const shortLists = Object.entries(lists).map(([rel, items]) => [rel, items.slice(0, ITEMS)])
  return { _embedded: Object.fromEntries(shortLists), ...rest, page: { totalPages: 1, totalElements: ITEMS } }
}

function addScope(user: object, scope: number): void {
  const { roleAssignments } = user as { roleAssignments: object[] }
  roleAssignments.push({ id: 'added', roleName: 'customer_user', scope: `/organizations/added-${scope}` })
}
