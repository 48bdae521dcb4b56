// The project list of a customer (§2): projects with their device counts, and the totals.
import { compareTexts } from '#shared/devices.ts'
import type { ProjectList } from '#shared/entities.ts'
import { customerScope } from '#shared/scopes.ts'
import type { Snapshot } from './snapshot.ts'

export function listProjects({ tree, organization }: Snapshot): ProjectList {
  const projects = tree.projects
    .map(({ id, projectName, from, to }) => ({ id, projectName, deviceCount: to - from }))
    .sort((a, b) => compareTexts(a.projectName, b.projectName))
  return {
    customer: {
      id: organization.id,
      orgName: organization.orgName,
      scope: customerScope(organization.partnerId ?? '', organization.id)
    },
    projects,
    totals: { projects: projects.length, devices: tree.rows.count },
    partial: tree.partial
  }
}
