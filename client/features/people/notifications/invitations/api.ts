import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { createStore } from 'zustand/vanilla'
import { calls } from '#shared/calls.ts'
import { CODES } from '#shared/messages.ts'
import { browser } from '../../../../lib/browser.ts'
import { ApiError } from '../../../../lib/http/api-error.ts'
import { useMutation } from '../../../../lib/http/mutation.ts'
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
  answer: (choice: Choice) => void
}

/** Accepts or declines an invitation, then reloads the portal. */
export function useAnswer(invitationId: string): Answering {
  const { pathname } = useLocation()
  const [choice, setChoice] = useState<Choice | null>(null)
  const { mutate, error } = useMutation({
    mutationFn: (chosen: Choice) => answerInvitation(invitationId, chosen),
    onMutate(chosen) {
      setChoice(chosen)
      return () => setChoice(null)
    },
    onSuccess() {
      browser.guarded = false
      // The person may have access now, so leave the page that denies it.
      if (pathname === paths.accessDenied) browser.leaveTo(paths.home)
      else browser.reload()
    }
  })
  const isGone = error instanceof ApiError && error.code === CODES.notFound
  const failure = error === undefined ? null : isGone ? 'gone' : 'failed'
  const answer = (chosen: Choice) => void (choice === null && mutate(chosen))
  return { busy: choice, failure, answer }
}
