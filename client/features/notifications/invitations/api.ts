import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { createStore } from 'zustand/vanilla'
import type { Invitation as UserInvitation } from '#shared/answers/people.ts'
import { CODES } from '#shared/messages.ts'
import { browser } from '../../../lib/browser.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { type HalAnswer, itself, pageFrom } from '../../../lib/http/hal.ts'
import { type Load, useLoad } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { paths } from '../../../lib/paths.ts'

/** The API may answer the id and the names only. */
export type Invitation = Pick<UserInvitation, 'id' | 'partnerName' | 'customerName'> & Partial<UserInvitation>

/** The person's unanswered invitations, oldest first. */
export function useMyInvitations(): Load<Invitation[]> {
  const path = '/api/v2/management/myUser/userInvitations'
  const { data, ...load } = useLoad<HalAnswer<Invitation>>(path, { revalidateOnFocus: false })
  const all = data && pageFrom(data, 'userInvitations', itself<Invitation>).items
  return { ...load, data: all?.filter(({ status = 'PENDING' }) => status === 'PENDING') }
}

function answerInvitation(id: string, answer: 'accept' | 'reject'): Promise<void> {
  return request(`/api/v2/management/userInvitation/${encodeURIComponent(id)}/${answer}`, { method: 'POST' })
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

/** After Accept and after Decline the portal reloads. */
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
      // The person may have access now.
      if (pathname === paths.accessDenied) browser.leaveTo(paths.home)
      else browser.reload()
    } catch (error) {
      setFailure(error instanceof ApiError && error.code === CODES.notFound ? 'gone' : 'failed')
      setBusy(null)
    }
  }

  return { busy, failure, answer }
}
