import type { RenderOptions } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { createRetries, RetriesContext } from '#client/lib/http/retry.ts'

function Retries({ children }: { children: ReactNode }) {
  const [retries] = useState(createRetries)
  return <RetriesContext value={retries}>{children}</RetriesContext>
}

/** Renders a part of the portal that reads, without the portal around it. */
export const withRetries: RenderOptions = { wrapper: Retries }
