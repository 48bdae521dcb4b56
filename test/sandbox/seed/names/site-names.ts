// What projects are called at each kind of site. Only characters that a name may hold, and at most 50 of them.

import type { Random } from '../random.ts'
import type { SiteKind } from './organization-names.ts'

const SHARED = [
  'Central Plant',
  'East Wing',
  'West Wing',
  'North Block',
  'Parking Garage',
  'Loading Dock & Stores'
]

const BY_KIND: Record<SiteKind, string[]> = {
  hospital: [
    'Cardiology Wing',
    'Emergency Department',
    'Operating Theatres',
    'Oncology Pavilion',
    'Intensive Care Unit',
    'Maternity & Neonatal',
    "Children's Ward",
    'Radiology Suite',
    'Pathology Laboratory',
    'Outpatient Clinic',
    'Pharmacy',
    'Dialysis Centre',
    'Isolation Rooms',
    'Surgical Recovery',
    "Nurses' Residence",
    'Rehabilitation Gym',
    'Sterile Services',
    'Kitchen & Laundry',
    'Helipad Annex',
    'Medical Records'
  ],
  campus: [
    'Library',
    'Science Building',
    'Student Union',
    'Gymnasium',
    'Lecture Hall',
    "Dean's Office",
    'Dormitory'
  ],
  tower: [
    'East Tower',
    'West Tower',
    'Lobby & Atrium',
    'Retail Podium',
    'Sky Deck',
    'Tenant Floors',
    'Penthouse'
  ],
  museum: [
    'Main Gallery',
    'Sculpture Hall',
    'Conservation Lab',
    'Archive Vault',
    'Auditorium',
    "Visitors' Entrance"
  ],
  dataCentre: [
    'Hall A',
    'Hall B',
    'Hall C',
    'Battery Rooms',
    'Chiller Yard',
    'Network Operations',
    'Generator Yard'
  ],
  hotel: [
    'Guest Rooms',
    'Ballroom & Meetings',
    'Spa',
    'Kitchens',
    'Pool House',
    "Chef's Garden Pavilion",
    'Lobby'
  ],
  airport: [
    'Terminal 1',
    'Terminal 2',
    'Concourse B',
    'Baggage Hall',
    'Control Tower',
    'Arrivals & Customs',
    'Hangar 4'
  ]
}

const BUILDINGS = [
  'Building A',
  'Building B',
  'Building C',
  'Annex',
  'Phase 2',
  'South Site',
  'Old House',
  'Level 5'
]

/** That many project names, each once. */
export function projectNames(kind: SiteKind, count: number, random: Random): string[] {
  const names = [...BY_KIND[kind], ...SHARED].slice(0, count)
  const taken = new Set(names)
  while (names.length < count) {
    const name = `${random.pick(BY_KIND[kind])}, ${random.pick(BUILDINGS)}`
    const unique = taken.has(name) ? `${name} ${names.length}` : name
    taken.add(unique)
    names.push(unique)
  }
  return names
}
