// What role assignments amount to at one scope: every action, allowed or not, and by which assignments. It asks
// `may`, as the gateway does, and decides nothing itself.

import { ACTIONS, type Action, type Assignment, may } from './permissions.ts'

export interface Grant extends Assignment {
  /** Assigned above the scope that was asked about, so it holds there too. */
  inherited: boolean
}

export interface ActionAccess {
  action: Action
  allowed: boolean
  /** The assignments that allow it, each by itself; those made at the scope first. */
  by: Grant[]
}

/** All actions in the order of the matrix. Markers and assignments elsewhere allow nothing. */
export function effectiveAccess(assignments: readonly Assignment[], scope: string): ActionAccess[] {
  return ACTIONS.map((action) => {
    const by = assignments
      .filter((held) => may([held], action, scope))
      .map(({ role, scope: heldAt }) => ({ role, scope: heldAt, inherited: heldAt !== scope }))
      .sort((a, b) => Number(a.inherited) - Number(b.inherited))
    return { action, allowed: by.length > 0, by }
  })
}

/** The names of the actions, in groups. */
export const ACTION_GROUPS: readonly { name: string; actions: readonly [Action, string][] }[] = [
  {
    name: 'Customers and projects',
    actions: [
      ['customers:view', 'View customers'],
      ['projects:view', 'View projects'],
      ['projects:create', 'Create projects'],
      ['projects:edit', 'Edit projects'],
      ['projects:delete', 'Delete projects']
    ]
  },
  {
    name: 'Devices',
    actions: [
      ['devices:view', 'View devices'],
      ['devices:register', 'Register devices'],
      ['devices:edit', 'Edit devices'],
      ['devices:move', 'Move devices'],
      ['devices:delete', 'Delete devices']
    ]
  },
  {
    name: 'Users',
    actions: [
      ['users:view', 'View users'],
      ['users:modify-roles', 'Change roles of users']
    ]
  },
  {
    name: 'Service accounts',
    actions: [
      ['service-accounts:view', 'View service accounts'],
      ['service-accounts:create', 'Create service accounts'],
      ['service-accounts:edit', 'Edit service accounts'],
      ['service-accounts:delete', 'Delete service accounts'],
      ['service-accounts:regenerate-secret', 'Regenerate secrets'],
      ['service-accounts:modify-roles', 'Change roles of service accounts']
    ]
  },
  {
    name: 'Data services',
    actions: [
      ['data:query-model', 'Query the data model'],
      ['data:query', 'Query data'],
      ['data:export', 'Export queried data']
    ]
  },
  {
    name: 'Reports',
    actions: [
      ['reports:view', 'View reports'],
      ['reports:create', 'Create reports'],
      ['reports:delete', 'Delete reports']
    ]
  },
  {
    name: 'Bulk exports',
    actions: [
      ['exports:view', 'View bulk exports'],
      ['exports:initiate', 'Start bulk exports'],
      ['exports:download', 'Download bulk exports']
    ]
  },
  {
    name: 'Recover',
    actions: [
      ['recover:view', 'View backups'],
      ['recover:download', 'Download backups'],
      ['recover:edit', 'Edit backups'],
      ['recover:delete', 'Delete backups']
    ]
  },
  { name: 'Remote', actions: [['remote:connect', 'Connect to devices']] },
  {
    name: 'Alarms',
    actions: [
      ['alarms:query', 'View alarms'],
      ['alarms:manage', 'Acknowledge and edit alarms']
    ]
  },
  {
    name: 'Live values',
    actions: [
      ['live:read', 'Read live values'],
      ['live:write', 'Write live values']
    ]
  },
  {
    name: 'Organization',
    actions: [
      ['audit-log:view', 'View the audit log'],
      ['tech-support:toggle', 'Turn tech support on and off']
    ]
  }
]
