// Fictional names of organizations, sites, devices and people. Names of projects and devices have valid characters only.
import type { Random } from './random.ts'

const list = (text: string): string[] => text.split(';').map((name) => name.trim().replace(/\s+/g, ' '))

export const EQUIPMENT = [
  'AHU',
  'Chiller',
  'Boiler Plant',
  'Cooling Tower',
  'VAV Floor',
  'Heat Pump',
  'Exhaust Fan',
  'Pump Set',
  'Heat Exchanger',
  'Make-up Air Unit',
  'Fan Coil Group',
  'Lighting Panel',
  'Energy Meter',
  'Generator',
  'Humidifier',
  'Steam & Condensate',
  "Kitchen Hood 'B'",
  'Hot Water Plant',
  'CRAC Unit',
  'Domestic Water'
] as const
export type EquipmentName = (typeof EQUIPMENT)[number]

const LOCATIONS =
  list(`Roof, level 9; Roof, level 12; Basement B1; Basement B2; Plant Room 1; Plant Room 2; Mechanical Room, level 3;
  Level 4, riser cupboard; Level 7, east corridor; Ground floor, switch room; Pump House; Caretaker's Office;
  Kitchen & Stores; Mezzanine; Penthouse plant deck; Yard, container 2`)
const MODELS = ['TITAN', 'JACE', 'ATLAS', 'EDGE', 'NX']

export function deviceName(kind: EquipmentName, index: number): string {
  return kind.length <= 4 ? `${kind}-${index + 1}` : `${kind} ${index + 1}`
}

export function location(random: Random): string {
  return random.pick(LOCATIONS)
}

/** An id such as `Qnx-TITAN-3A2F-91C0-7B4E-11D2`. */
export function hostId(random: Random): string {
  const digits = random.hex(16).toUpperCase()
  return `Qnx-${random.pick(MODELS)}-${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8, 12)}-${digits.slice(12)}`
}

export function uuid(random: Random): string {
  const digits = random.hex(32)
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}

export type SiteKind = 'hospital' | 'campus' | 'tower' | 'museum' | 'dataCentre' | 'hotel' | 'airport'

const PROJECTS: Record<SiteKind, string[]> = {
  hospital:
    list(`Cardiology Wing; Emergency Department; Operating Theatres; Oncology Pavilion; Intensive Care Unit;
    Maternity & Neonatal; Children's Ward; Radiology Suite; Pathology Laboratory; Outpatient Clinic; Pharmacy;
    Dialysis Centre; Isolation Rooms; Surgical Recovery; Nurses' Residence; Rehabilitation Gym; Sterile Services;
    Kitchen & Laundry; Helipad Annex; Medical Records`),
  campus: list(`Library; Science Building; Student Union; Gymnasium; Lecture Hall; Dean's Office; Dormitory`),
  tower: list(`East Tower; West Tower; Lobby & Atrium; Retail Podium; Sky Deck; Tenant Floors; Penthouse`),
  museum: list(
    `Main Gallery; Sculpture Hall; Conservation Lab; Archive Vault; Auditorium; Visitors' Entrance`
  ),
  dataCentre: list(`Hall A; Hall B; Hall C; Battery Rooms; Chiller Yard; Network Operations; Generator Yard`),
  hotel: list(`Guest Rooms; Ballroom & Meetings; Spa; Kitchens; Pool House; Chef's Garden Pavilion; Lobby`),
  airport: list(
    `Terminal 1; Terminal 2; Concourse B; Baggage Hall; Control Tower; Arrivals & Customs; Hangar 4`
  )
}
const SHARED_PROJECTS = list(
  `Central Plant; East Wing; West Wing; North Block; Parking Garage; Loading Dock & Stores`
)
const BUILDINGS = list(`Building A; Building B; Building C; Annex; Phase 2; South Site; Old House; Level 5`)

export function projectNames(kind: SiteKind, count: number, random: Random): string[] {
  const names = [...PROJECTS[kind], ...SHARED_PROJECTS].slice(0, count)
  const usedNames = new Set(names)
  while (names.length < count) {
    const name = `${random.pick(PROJECTS[kind])}, ${random.pick(BUILDINGS)}`
    const uniqueName = usedNames.has(name) ? `${name} ${names.length}` : name
    usedNames.add(uniqueName)
    names.push(uniqueName)
  }
  return names
}

export interface IntegratorName {
  id: string
  name: string
  isTechViewEnabled: boolean
  firstCustomer: number
  customers: { name: string; kind: SiteKind }[]
}

const customers = (text: string): IntegratorName['customers'] =>
  [...text.matchAll(/(\w+): ([^:]*)(?=\n\s*\w+:|$)/g)].flatMap(([, kind, names = '']) =>
    list(names).map((name) => ({ name, kind: kind as SiteKind }))
  )

// The first seven names are those of the customers in notable.ts, in the order of the ids.
const MERIDIAN = customers(`
  hospital: Northwind Hospitals
  museum: Riverside Museum of Art
  dataCentre: Lakeshore Data Centre
  campus: Alder University
  hospital: St. Brigid Medical Center
  tower: Kestrel Tower
  hotel: Grand Harbour Hotels
  hospital: Cedar Valley Health; Bayview Children's Hospital; Summit Care Group; Prairie Regional Clinics;
    Mercy & Grace Hospitals; Silverlake Rehabilitation
  campus: Whitmore College; Hawthorne Schools; Ironbridge Polytechnic; Oakfield Campus; Larkspur Research Park;
    Ferndale Institute; Maple Ridge School District
  tower: One Quayside; Beacon Plaza; Halcyon Towers; Meridian Point Offices; The Foundry; Parkline Estates;
    Corner & Main Properties; Vantage Court; Ashgrove Business Park
  museum: Natural History Hall; Old Mint Museum; Willow Street Theatre; Harlow Concert Hall
  dataCentre: Polar Cloud Hosting; Basalt Data Vaults; Quarry Lane Colocation
  hotel: Juniper Inns; Lighthouse Resorts; Blue Heron Suites; Kingfisher Hotels
  airport: Eastgate Airport; Fairmont Regional Airport; Union Station Trust; Harbour Ferry Terminals
  campus: City of Elmsworth`)

const HARBOR = customers(`
  hospital: Coastal Health Trust; Dune Street Clinic
  tower: Pier Nine Offices; Anchor House
  hotel: Saltmarsh Lodge
  airport: Northport Cruise Terminal`)

const ALPENGLOW = customers(`
  campus: High Meadow College
  hotel: Larch & Stone Resorts; Glacier View Hotel
  dataCentre: Coldwater Compute
  hospital: Mountain Rescue Hospital`)

export const INTEGRATORS: IntegratorName[] = [
  {
    id: '100',
    name: 'Meridian Building Controls',
    isTechViewEnabled: true,
    firstCustomer: 1001,
    customers: MERIDIAN
  },
  {
    id: '200',
    name: 'Harbor Automation Partners',
    isTechViewEnabled: false,
    firstCustomer: 2001,
    customers: HARBOR
  },
  {
    id: '300',
    name: 'Alpenglow Systems Integration',
    isTechViewEnabled: true,
    firstCustomer: 3001,
    customers: ALPENGLOW
  }
]

export const GIVEN_NAMES =
  `Aisha Alan Amara Anders Anjali Beatriz Ben Bianca Carlos Chloe Daniel Daria Diego Eleni Emeka Emma Farid Fiona
  Gabriel Greta Hana Hugo Imani Ivan Jana Jonas Julia Kaito Karim Katya Lena Liam Lin Lucia Maja Marco Maria Mateo
  Mei Nadine Nikhil Nora Olga Omar Oscar Pavel Priya Rafael Rosa Samir Sara Sofia Stefan Tara Theo Tomas Uma Victor
  Wei Yara Yusuf Zoe`.split(/\s+/)

export const FAMILY_NAMES =
  `Abebe Aguilar Bauer Becker Bianchi Campbell Castro Chen Costa Diallo Dubois Eriksen Fischer Flores Garcia Gupta
  Haddad Hansen Ito Ivanova Jensen Kaplan Kaur Kim Kowalski Larsen Lopez Mbeki Meyer Moreau Nakamura Nguyen Novak
  O'Brien Okoye Olsen Ortiz Patel Petrov Quinn Rahman Reyes Rossi Ruiz Sato Schmidt Silva Singh Tanaka Torres Usman
  Vargas Virtanen Walsh Weber Wójcik Yamada Yilmaz Zhang`.split(/\s+/)
