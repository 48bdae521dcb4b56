import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { calls } from '#shared/calls.ts'
import {
  ApiError,
  failureOf,
  isNotFound,
  isOutcomeUnknown,
  mustReload,
  refusalText
} from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import * as rules from '../../../lib/validation.ts'
import { useProjects } from '../customers/api.ts'
import { useLicenses } from '../devices/api.ts'
import { licenseOf, useRegistrationCode } from '../devices/dialogs/licenses.tsx'
import { register } from './api.ts'
import { type Placement, placementOf } from './link-panel.tsx'

const UNKNOWN_TEXT = 'This code is unknown, was already used or has expired. Show a new code on the device.'
const TRIED_TEXT =
  "This code is unknown, was already used or has expired. Your first try may have registered the device: look at the customer's devices."
const MAYBE_REGISTERED =
  "The device may have been registered anyway. Look at the customer's devices before you try again."

function useCode(initial: string) {
  const { code, leftMs, isExpired, error: ownError, change, restart } = useRegistrationCode(initial)
  const [problem, setProblem] = useState<string | null>(null)
  /** The code of a registration whose answer was lost. */
  const [lostCode, setLostCode] = useState('')
  const unknownText = code === lostCode ? TRIED_TEXT : UNKNOWN_TEXT
  const licenses = useLicenses(isExpired || problem ? '' : code)
  const error = problem ?? ownError ?? (isNotFound(licenses.error) ? unknownText : null)
  function changeCode(text: string) {
    change(text)
    setProblem(null)
  }
  return {
    code,
    leftMs,
    whole: rules.isRegistrationCode(code),
    error,
    licenses,
    change: changeCode,
    refuse: () => setProblem(unknownText),
    noteLost: () => setLostCode(code),
    restart() {
      changeCode('')
      restart()
    }
  }
}

export interface Registered {
  deviceName: string
  deviceUuid: string
  customerId: string
}

export function useRegistration() {
  const [query] = useSearchParams()
  const [placement, setPlacement] = useState(() => placementOf(query))
  const [pickedId, setPickedId] = useState('')
  const [done, setDone] = useState<Registered | null>(null)
  /** The code of a registration that was answered 404. */
  const [notFoundCode, setNotFoundCode] = useState('')
  const code = useCode(query.get('user_code') ?? '')
  const refresh = useRefresh()
  const license = licenseOf(code.licenses.data, pickedId)
  const { projects } = useProjects(placement.customerId || null).data ?? {}
  const hasProject =
    placement.projectId !== '' && (projects?.some(({ id }) => id === placement.projectId) ?? true)
  const missingPlacement = missingOf(placement, hasProject)
  const missing = [
    ...(code.whole && !code.error ? [] : ['the code']),
    ...(license ? [] : ['a license']),
    ...missingPlacement
  ]

  const { mutate, isPending, error } = useMutation({
    async mutationFn(licenseId: string) {
      const { customerId } = placement
      const deviceName = placement.deviceName.trim()
      const { deviceUuid } = await register(code.code, licenseId, placement)
      await refresh(calls.customer(customerId))
      setDone({ deviceName, deviceUuid, customerId })
    },
    async onError(failure) {
      if (isOutcomeUnknown(failure)) code.noteLost()
      if (mustReload(failure)) await refresh(calls.customer(placement.customerId))
      if (isNotFound(failure)) setNotFoundCode(code.code)
    }
  })
  // A 404 may also mean that the project was deleted. The refreshed projects tell.
  const explainNotFound = useEffectEvent(() => {
    setNotFoundCode('')
    if (hasProject && notFoundCode === code.code) code.refuse()
  })
  useEffect(() => {
    if (notFoundCode !== '') explainNotFound()
  }, [notFoundCode])

  return {
    code,
    license,
    pick: setPickedId,
    placement,
    place: (change: Partial<Placement>) => setPlacement((before) => ({ ...before, ...change })),
    missing,
    /** How many steps after the first step are open. */
    opened: license ? (missingPlacement.length === 0 ? 2 : 1) : 0,
    busy: isPending,
    failure: error === undefined || isNotFound(error) ? null : refusalOf(error),
    done,
    submit() {
      if (missing.length === 0 && license) mutate(license.licenseId)
    },
    another() {
      setDone(null)
      code.restart()
      setPlacement((before) => ({ ...before, deviceName: '' }))
    }
  }
}

export type RegistrationState = ReturnType<typeof useRegistration>

function missingOf({ customerId, deviceName, location }: Placement, hasProject: boolean): string[] {
  return [
    customerId === '' && 'a customer',
    !hasProject && 'a project',
    !isFilled(deviceName, rules.deviceName) && 'a device name',
    !isFilled(location, rules.location) && 'a location'
  ].filter((step) => step !== false)
}

/** Moves the focus from the code to the step that opened. */
export function useStepFocus(opened: number) {
  const steps = useRef<HTMLDivElement>(null)
  const lastOpened = useRef(opened)
  useEffect(() => {
    const isInCode = document.activeElement === steps.current?.querySelector('.code-input')
    if (opened === 1 && lastOpened.current === 0 && isInCode)
      steps.current?.querySelector<HTMLElement>('#step-placement')?.focus()
    lastOpened.current = opened
  }, [opened])
  return steps
}

function isFilled(text: string, rule: rules.Rule): boolean {
  return text.trim() !== '' && rule(text) === null
}

function refusalOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 409)
    return `${failureOf(error).text} The license or the code may have been taken meanwhile: choose again.`
  return `${refusalText(error)} ${consequenceText(error, 'The device was not registered.', MAYBE_REGISTERED)}`
}
