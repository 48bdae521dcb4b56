import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { createStore } from 'zustand/vanilla'
import { calls } from '#shared/calls.ts'
import { CODES } from '#shared/messages.ts'
import { browser } from '../../../../lib/browser.ts'
import { ApiError } from '../../../../lib/http/api-error.ts'
import { get, type QueryResult, useQuery } from '../../../../lib/http/query.ts'
import { request } from '../../../../lib/http/request.ts'
import { paths } from '../../../../lib/paths.ts'

export interface Invitation {
  id: string
  partnerName: string | null
  customerName: string | null
  /** ISO 8601 UTC; null if unknown. */
  expiresDate: string | null
  roleNames: string[]
}

/** The person's unanswered invitations, oldest first. */
export function useMyInvitations(): QueryResult<Invitation[]> {
  return useQuery(
    calls.ownInvitations,
    async (path, signal) => invitationsIn(await get<Answer | null>(path, signal)),
    { revalidateOnFocus: false }
  )
}

type Body = { [Field in keyof Invitation | 'status' | 'roleAssignments']?: unknown } | null
type Answer = { _embedded?: { userInvitations?: Body[] } }

/** Skips malformed invitations. */
function invitationsIn(answer: Answer | null): Invitation[] {
  const list = answer?._embedded?.userInvitations
  return Array.isArray(list) ? list.flatMap((body) => (isPending(body) ? toInvitation(body) : [])) : []
}

const isPending = (body: Body): body is NonNullable<Body> & { id: string } =>
  typeof body?.id === 'string' && (body.status ?? 'PENDING') === 'PENDING'

function toInvitation(body: NonNullable<Body> & { id: string }): Invitation {
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
  const assignments = Array.isArray(body.roleAssignments) ? body.roleAssignments : []
  return {
    id: body.id,
    partnerName: textOrNull(body.partnerName),
    customerName: textOrNull(body.customerName),
    expiresDate: textOrNull(body.expiresDate),
    roleNames: assignments.flatMap(
      (assignment: { roleName?: unknown } | null) => textOrNull(assignment?.roleName) ?? []
    )
  }
}

function answerInvitation(id: string, answer: 'accept' | 'reject'): Promise<void> {
  return request(calls.answerInvitation(id, answer), { method: 'POST' })
}

interface PromptState {
  postponed: readonly string[]
  opened: string | null
}

export const promptStore = createStore((): PromptState => ({ postponed: [], opened: null }))

export function postpone(ids: readonly string[]): void {
  promptStore.setState(({ postponed }) => ({ postponed: [...postponed, ...ids], opened: null }))
}

export function openInvitation(id: string): void {
  promptStore.setState({ opened: id })
}

type Choice = 'accept' | 'reject'

export interface Answering {
  busy: Choice | null
  failure: 'gone' | 'failed' | null
  answer: (choice: Choice) => Promise<void>
}

/** Accepts or declines an invitation, then reloads the portal. */
export function useAnswer(invitationId: string): Answering {
  const { pathname } = useLocation()
  const [busy, setBusy] = useState<Choice | null>(null)
  const [failure, setFailure] = useState<Answering['failure']>(null)

  async function answer(choice: Choice) {
    if (busy) return
    setBusy(choice)
    setFailure(null)
    try {
      await answerInvitation(invitationId, choice)
      browser.guarded = false
      // The person may have access now, so leave the page that denies it.
      if (pathname === paths.accessDenied) browser.leaveTo(paths.home)
      else browser.reload()
    } catch (error) {
      setFailure(error instanceof ApiError && error.code === CODES.notFound ? 'gone' : 'failed')
      setBusy(null)
    }
  }

  return { busy, failure, answer }
}
