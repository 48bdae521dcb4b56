import { useState } from 'react'
import { codeLabel } from '../../../lib/format.ts'
import { RECENT_RANGES } from '../../../lib/time/ago.ts'
import { dayBegin, dayEnd } from '../../../lib/time/calendar.ts'
import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import type { Option } from '../../../ui/input/combobox.tsx'
import { DateField } from '../../../ui/input/date-field.tsx'
import { SelectField } from '../../../ui/input/field.tsx'
import { RemoteChoice } from '../../../ui/input/remote-choice.tsx'
import { choicesOf, type Filter, namedOne, oneOf, severalOf } from '../../../ui/list/filters/filters.tsx'
import { CustomerChoice } from '../../sites/customers/customer-choice.tsx'
import { useUsers } from '../access/users.ts'
import { OUTCOMES, RESOURCE_TYPES } from './audit-sentences.ts'

export const FIRST_VIEW = {
  range: '24h',
  from: '',
  to: '',
  q: '',
  actorId: '',
  actorName: '',
  action: '',
  type: '',
  resourceId: '',
  resourceName: '',
  customerId: '',
  customerName: '',
  outcome: '',
  sort: 'timestamp',
  order: 'desc',
  page: '1'
}

type View = typeof FIRST_VIEW
export type AuditQuery = ListQuery<View>

const RANGES: Record<string, { label: string; ms: number }> = RECENT_RANGES

/** Relative ranges end at `nowMs`; custom ranges are whole days in the zone. */
export function filterOf(view: View, nowMs: number, zone: string) {
  const range = RANGES[view.range]
  const custom = {
    from: dayBegin(view.from, zone),
    to: dayEnd(view.to, zone)
  }
  const relative = range && { from: new Date(nowMs - range.ms).toISOString(), to: '' }
  return {
    ...(relative ?? custom),
    keyword: view.q,
    actorId: view.actorId,
    resourceType: view.type,
    resourceId: view.resourceId,
    customerId: view.customerId,
    outcome: view.outcome,
    action: listOf(view.action)
  }
}

const actionChoice = (value: string) => ({ value, label: codeLabel(value) })

interface FilterOptions {
  organizationId: string | null
  actions: readonly string[]
  actors: boolean
  customers: boolean
}

export function auditFilters({ organizationId, actions, actors, customers }: FilterOptions): Filter<View>[] {
  return [
    range,
    oneOf('type', 'Object', 'Any object', RESOURCE_TYPES.map(actionChoice), (chosen) => `Kind: ${chosen}`),
    oneOf('outcome', 'Outcome', 'Any outcome', choicesOf(OUTCOMES)),
    namedOne('actorId', 'actorName', 'Who', (chosen, onChoose) =>
      actors ? <ActorChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} /> : null
    ),
    namedOne('resourceId', 'resourceName', 'Object'),
    namedOne('customerId', 'customerName', 'Customer', (chosen, onChoose) =>
      customers ? (
        <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
      ) : null
    ),
    order,
    severalOf('action', 'Action', actions.map(actionChoice))
  ]
}

const range: Filter<View> = {
  names: ['range'],
  field: ({ values, change }) => (
    <>
      <SelectField
        label="Time"
        value={values.range}
        onChange={(value) => change({ range: value })}
        options={[...choicesOf(RANGES), { value: 'custom', label: 'Custom range' }]}
      />
      {values.range === 'custom' && (
        <>
          <DateField label="From" value={values.from} onChange={(from) => change({ from })} />
          <DateField label="To" value={values.to} onChange={(to) => change({ to })} />
        </>
      )}
    </>
  )
}

const order: Filter<View> = {
  names: [],
  field: ({ values, change }) => (
    <SelectField
      label="Order"
      value={`${values.sort} ${values.order}`}
      onChange={(value) => {
        const [sort = '', direction = ''] = value.split(' ')
        change({ sort, order: direction })
      }}
      options={[
        { value: 'timestamp desc', label: 'Newest first' },
        { value: 'timestamp asc', label: 'Oldest first' },
        { value: 'customerName asc', label: 'By customer' },
        { value: 'outcome asc', label: 'By outcome' }
      ]}
    />
  )
}

interface ActorChoiceProps {
  organizationId: string | null
  chosen: Option | null
  onChoose: (option: Option | null) => void
}

/** A choice among users only. To filter by a service account, the person clicks its name in an entry. */
function ActorChoice({ organizationId, chosen, onChoose }: ActorChoiceProps) {
  const [keyword, setKeyword] = useState('')
  const [needUsers, setNeedUsers] = useState(false)
  const users = useUsers(needUsers && organizationId !== null ? organizationId : undefined, { keyword })
  return (
    <RemoteChoice
      label="Who"
      placeholder="By anyone"
      options={(users.data?.items ?? []).map(({ id, fullName }) => ({ id, name: fullName }))}
      busy={users.busy}
      chosen={chosen}
      onSearch={setKeyword}
      onChoose={onChoose}
      onCome={() => setNeedUsers(true)}
    />
  )
}
