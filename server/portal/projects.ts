// The project list of a customer (§2): projects with their device counts, and the totals.
import type { ProjectList } from '#shared/entities.ts'
import { customerScope } from '#shared/scopes.ts'
import type { Snapshot } from './snapshots.ts'

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function listProjects({ tree, devices, organization }: Snapshot): ProjectList {
  const projects = tree.projects
    .map(({ id, projectName, devices }) => ({ id, projectName, deviceCount: devices.length }))
    .sort((a, b) => byName.compare(a.projectName, b.projectName))
  return {
    customer: {
      id: organization.id,
      orgName: organization.orgName,
      scope: customerScope(organization.partnerId ?? '', organization.id)
    },
    projects,
    totals: { projects: projects.length, devices: devices.length },
    partial: tree.partial
  }
}
