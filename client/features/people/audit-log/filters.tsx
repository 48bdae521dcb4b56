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
import { isSignIn } from './audit-rows.ts'
import { OUTCOMES, RESOURCE_TYPES } from './audit-sentences.ts'

export const FIRST_VIEW = {
  range: '24h',
  from: '',
  to: '',
  q: '',
  actorId: '',
  actorName: '',
  action: '',
  signIns: '',
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

/** Whether the range begins before now, so that it is another one after a refresh. */
export const isRelative = ({ range }: View) => RANGES[range] !== undefined

/**
 * Relative ranges begin before `nowMs` and have no end; custom ranges are whole days in the zone. The API cannot exclude actions, so a log
 * without sign-ins asks for all other actions: the API's pages and counts then match the rows. `actions` are the actions
 * that the log can contain; without them, as after a failure, sign-ins are included.
 */
export function filterOf(view: View, actions: readonly string[], nowMs: number, zone: string) {
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
    action: requestedActions(view, actions)
  }
}

function requestedActions(view: View, actions: readonly string[]): readonly string[] {
  return hidesSignIns(view) ? actions.filter((action) => !isSignIn(action)) : listOf(view.action)
}

/** Whether the view needs the list of actions before its entries can be loaded. */
export function hidesSignIns({ action, signIns }: View): boolean {
  return action === '' && signIns === ''
}

const signInsChip = () => 'With sign-ins'
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
    severalOf('action', 'Action', actions.map(actionChoice)),
    oneOf('signIns', 'Sign-ins', 'Hidden', [{ value: 'shown', label: 'Shown' }], signInsChip),
    oneOf('type', 'Object', 'Any object', RESOURCE_TYPES.map(actionChoice), (chosen) => `Kind: ${chosen}`),
    oneOf('outcome', 'Outcome', 'Any outcome', choicesOf(OUTCOMES)),
    namedOne('actorId', 'actorName', 'Person', (chosen, onChoose) =>
      actors ? <ActorChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} /> : null
    ),
    namedOne('resourceId', 'resourceName', 'Object'),
    namedOne('customerId', 'customerName', 'Customer', (chosen, onChoose) =>
      customers ? (
        <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
      ) : null
    )
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
      label="Person"
      placeholder="By anyone"
      options={(users.data?.items ?? []).map(({ id, fullName }) => ({ id, name: fullName }))}
      busy={users.isFetching}
      chosen={chosen}
      onSearch={setKeyword}
      onChoose={onChoose}
      onCome={() => setNeedUsers(true)}
    />
  )
}
