import { useState } from 'react'

interface MutationOptions<Variables, Result> {
  mutationFn: (variables: Variables) => Promise<Result>
  /** Shows the change at once. Returns how to revert it, for a call that fails. */
  onMutate?: (variables: Variables) => () => void
  onSuccess?: (result: Result, variables: Variables) => void
  onError?: (error: unknown, variables: Variables) => void
  onSettled?: () => void
}

interface MutationResult<Variables, Result> {
  /** For buttons: does nothing while a change is sent, and reports a failure as `error` only. */
  mutate: (variables: Variables) => void
  /** Rejects if the call fails. */
  mutateAsync: (variables: Variables) => Promise<Result>
  isPending: boolean
  /** Why the last change failed; undefined while another one is being sent. */
  error: unknown
  /** Forgets the error. */
  reset: () => void
}

/** Sends changes. A change may show at once; it is reverted if its call fails. */
export function useMutation<Variables = void, Result = unknown>(
  options: MutationOptions<Variables, Result>
): MutationResult<Variables, Result> {
  const { mutationFn, onMutate, onSuccess, onError, onSettled } = options
  const [pending, setPending] = useState(0)
  const [error, setError] = useState<unknown>()

  async function mutateAsync(variables: Variables): Promise<Result> {
    setPending((count) => count + 1)
    setError(undefined)
    const revert = onMutate?.(variables)
    try {
      const result = await mutationFn(variables)
      onSuccess?.(result, variables)
      return result
    } catch (failure) {
      revert?.()
      setError(failure)
      onError?.(failure, variables)
      throw failure
    } finally {
      setPending((count) => count - 1)
      onSettled?.()
    }
  }

  return {
    mutate(variables) {
      if (pending === 0) mutateAsync(variables).catch(() => {})
    },
    mutateAsync,
    isPending: pending > 0,
    error,
    reset: () => setError(undefined)
  }
}
