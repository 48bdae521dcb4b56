import type { EquipmentName } from '../../seed/names.ts'
import { AIR_BOXES, AIR_HANDLER, CLOSE_CONTROL, EXHAUST, FAN_COILS } from './air.ts'
import { GENERATOR, LIGHTING, METER } from './power.ts'
import type { Equipment } from './template.ts'
import { BOILERS, CHILLER, DOMESTIC, EXCHANGER, HEAT_PUMP, HUMIDIFIER, PUMPS, TOWER } from './water.ts'

export const EQUIPMENT_OF: Record<EquipmentName, Equipment> = {
  AHU: AIR_HANDLER,
  Chiller: CHILLER,
  'Boiler Plant': BOILERS,
  'Cooling Tower': TOWER,
  'VAV Floor': AIR_BOXES,
  'Heat Pump': HEAT_PUMP,
  'Exhaust Fan': EXHAUST,
  'Pump Set': PUMPS,
  'Heat Exchanger': EXCHANGER,
  'Make-up Air Unit': AIR_HANDLER,
  'Fan Coil Group': FAN_COILS,
  'Lighting Panel': LIGHTING,
  'Energy Meter': METER,
  Generator: GENERATOR,
  Humidifier: HUMIDIFIER,
  'Steam & Condensate': EXCHANGER,
  "Kitchen Hood 'B'": EXHAUST,
  'Hot Water Plant': BOILERS,
  'CRAC Unit': CLOSE_CONTROL,
  'Domestic Water': DOMESTIC
}
