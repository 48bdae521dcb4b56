// The actions that role assignments allow at a scope, according to the gateway's function `may`.

import { ACTIONS, type Action, type Assignment, may } from '#shared/permissions.ts'

export interface Grant extends Assignment {
  /** Whether the role is assigned at a broader scope. */
  inherited: boolean
}

export interface ActionAccess {
  action: Action
  allowed: boolean
  /** The assignments that allow the action; assignments at this scope come first. */
  by: Grant[]
}

/** All actions in the order of `ACTIONS`, with the assignments that allow each. */
export function effectiveAccess(assignments: readonly Assignment[], scope: string): ActionAccess[] {
  return ACTIONS.map((action) => {
    const by = assignments
      .filter((assignment) => may([assignment], action, scope))
      .map(({ role, scope: heldAt }) => ({ role, scope: heldAt, inherited: heldAt !== scope }))
      .sort((a, b) => Number(a.inherited) - Number(b.inherited))
    return { action, allowed: by.length > 0, by }
  })
}

/** The most frequent reason, which needs to show only once. Empty reasons are of actions that are not allowed. */
export function sharedReason(reasons: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const reason of reasons) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [mostFrequent] = [...counts].sort(([, countA], [, countB]) => countB - countA)
  return mostFrequent?.[0] ?? null
}

const ACTION_NAMES: Readonly<Record<Action, readonly [group: string, name: string]>> = {
  'customers:view': ['Customers and projects', 'View customers'],
  'projects:view': ['Customers and projects', 'View projects'],
  'projects:create': ['Customers and projects', 'Create projects'],
  'projects:edit': ['Customers and projects', 'Edit projects'],
  'projects:delete': ['Customers and projects', 'Delete projects'],
  'devices:view': ['Devices', 'View devices'],
  'devices:register': ['Devices', 'Register devices'],
  'devices:edit': ['Devices', 'Edit devices'],
  'devices:move': ['Devices', 'Move devices'],
  'devices:delete': ['Devices', 'Delete devices'],
  'users:view': ['Users', 'View users'],
  'users:modify-roles': ['Users', 'Change roles of users'],
  'service-accounts:view': ['Service accounts', 'View service accounts'],
  'service-accounts:create': ['Service accounts', 'Create service accounts'],
  'service-accounts:edit': ['Service accounts', 'Edit service accounts'],
  'service-accounts:delete': ['Service accounts', 'Delete service accounts'],
  'service-accounts:regenerate-secret': ['Service accounts', 'Regenerate secrets'],
  'service-accounts:modify-roles': ['Service accounts', 'Change roles of service accounts'],
  'data:query-model': ['Data services', 'Query the data model'],
  'data:query': ['Data services', 'Query data'],
  'data:export': ['Data services', 'Export queried data'],
  'reports:view': ['Reports', 'View reports'],
  'reports:create': ['Reports', 'Create reports'],
  'reports:delete': ['Reports', 'Delete reports'],
  'exports:view': ['Bulk exports', 'View bulk exports'],
  'exports:initiate': ['Bulk exports', 'Start bulk exports'],
  'exports:download': ['Bulk exports', 'Download bulk exports'],
  'recover:view': ['Recover', 'View backups'],
  'recover:download': ['Recover', 'Download backups'],
  'recover:edit': ['Recover', 'Edit backups'],
  'recover:delete': ['Recover', 'Delete backups'],
  'remote:connect': ['Remote', 'Connect to devices'],
  'alarms:query': ['Alarms', 'View alarms'],
  'alarms:manage': ['Alarms', 'Acknowledge and edit alarms'],
  'live:read': ['Live values', 'Read live values'],
  'live:write': ['Live values', 'Write live values'],
  'audit-log:view': ['Organization', 'View the audit log'],
  'tech-support:toggle': ['Organization', 'Turn tech support on and off']
}

export const ACTION_GROUPS: readonly { name: string; actions: readonly [Action, string][] }[] =
  Object.entries(
    Object.groupBy(Object.keys(ACTION_NAMES) as Action[], (action) => ACTION_NAMES[action][0])
  ).map(([name, actions = []]) => ({
    name,
    actions: actions.map((action): [Action, string] => [action, ACTION_NAMES[action][1]])
  }))
