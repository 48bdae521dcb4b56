// Numbers and names of the roles. The last two only mark users and grant no rights.

export const ROLES = [
  { number: 1, name: 'global_admin' },
  { number: 2, name: 'partner_admin' },
  { number: 3, name: 'partner_user' },
  { number: 4, name: 'customer_admin' },
  { number: 5, name: 'customer_user' },
  { number: 6, name: 'niagara_remote' },
  { number: 7, name: 'nds_operator' },
  { number: 8, name: 'custom' },
  { number: 9, name: 'noaccess' }
] as const

export type RoleName = (typeof ROLES)[number]['name']

export function roleNumber(name: RoleName): number {
  return ROLES.findIndex((role) => role.name === name) + 1
}

export function isMarker(number: number): boolean {
  return number > 7
}
