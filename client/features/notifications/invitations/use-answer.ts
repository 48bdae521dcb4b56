import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { CODES } from '#shared/messages.ts'
import { browser } from '../../../lib/browser.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { answerInvitation } from './api.ts'

export type Choice = 'accept' | 'reject'

export interface Answering {
  busy: Choice | null
  /** `gone`: there is no such invitation any more. */
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
      // Whoever had no role until now has a way in.
      if (pathname === paths.accessDenied) browser.leaveTo(paths.home)
      else browser.reload()
    } catch (error) {
      setFailure(error instanceof ApiError && error.code === CODES.notFound ? 'gone' : 'failed')
      setBusy(null)
    }
  }

  return { busy, failure, answer }
}
