import useSWR from 'swr'
import type { Page } from '#shared/entities.ts'
import { isAbort } from './api-error.ts'
import { type HalList, pageOfHal } from './hal.ts'
import { useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

/** What an export needs to know of a point (§3, A-9). */
export interface ExportablePoint {
  cloudId: string
  displayName: string
  tags?: { telemetryId?: string; historyName?: string; slotPath?: string; units?: string }
}

const SIZE = 100

/** The points of one device whose name contains the text. Null loads nothing. */
export function usePointsOf(
  customerId: string,
  systemGuid: string | null,
  text: string
): Load<Page<ExportablePoint>> {
  const keyOf = useKeyOf()
  const path = systemGuid && `/api/v1/entitymodel/customers/${encodeURIComponent(customerId)}/pointNames`
  const family = path && `${path} ${systemGuid} ${text}`
  useHold(family)
  const { data, error, isValidating, mutate } = useSWR<Page<ExportablePoint>, unknown>(
    family && keyOf(family),
    async () => {
      const query = new URLSearchParams({
        page: '0',
        size: String(SIZE),
        count: 'true',
        sortBy: 'displayName',
        sortDir: 'asc'
      })
      const body = {
        systemGuid,
        searchItems: text ? [text] : [],
        searchType: 'pointNames',
        comparisonType: 'CONTAINS'
      }
      const answer = await request<HalList<ExportablePoint>>(`${path}?${query}`, {
        method: 'POST',
        body,
        signal: signalOf(family ?? '')
      })
      return pageOfHal(answer, 'pointModels')
    },
    { keepPreviousData: true, revalidateOnFocus: false }
  )
  return {
    data,
    error: isAbort(error) ? undefined : error,
    busy: isValidating,
    reload: () => void mutate()
  }
}
