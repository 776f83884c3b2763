import type { AskedDocument } from './language-set.ts';

export const spanish: AskedDocument[] = [
  [
    'Café con filtro de papel',
    'El agua debe estar casi hirviendo. Viértela despacio y en círculos sobre el café molido, durante unos tres minutos.',
    '¿Cómo preparo café a mano?',
  ],
  [
    'Ajustar los frenos de la bicicleta',
    'Si el cable está flojo, gira el tornillo de la palanca hasta que las zapatas vuelvan a apretar la rueda.',
    'mi bici no frena bien',
  ],
  [
    'La erupción de un volcán',
    'El magma sube por la chimenea, los gases lanzan ceniza y rocas a kilómetros de altura y la lava baja por las laderas.',
    '¿Por qué una montaña expulsa lava y ceniza?',
  ],
  [
    'Vacunas para niños',
    'Las primeras vacunas se ponen a los dos meses. Protegen contra la tos ferina, el tétanos y la polio.',
    '¿Cuándo hay que vacunar a un bebé?',
  ],
  [
    'Energía solar en el tejado',
    'Con veinte paneles basta para una familia; la electricidad que sobra se vende a la red.',
    'instalar placas solares en casa',
  ],
  [
    'La ceremonia japonesa del té',
    'El anfitrión limpia cada utensilio delante de los invitados, bate el té verde y ofrece el cuenco con una reverencia.',
    'ritual para servir té verde',
  ],
  [
    'Aperturas de ajedrez',
    'El principiante debe desarrollar pronto sus piezas, ocupar el centro y enrocar, sin atacar con la dama.',
    'buenas primeras jugadas jugando al ajedrez',
  ],
  [
    'Pan de masa madre',
    'La masa reposa toda la noche y por la mañana se hornea con mucho calor y vapor para que la corteza se abra.',
    'receta de pan con corteza crujiente',
  ],
  [
    'Qué hacer en un terremoto',
    'Métete debajo de una mesa firme, aléjate de las ventanas y no corras hacia las escaleras.',
    'consejos de seguridad cuando tiembla la tierra',
  ],
  [
    'La migración de las ballenas',
    'En otoño las ballenas jorobadas dejan los mares fríos y nadan hasta los trópicos, donde nacen sus crías.',
    '¿Adónde viajan las ballenas en invierno?',
  ],
  [
    'El primer ferrocarril de España',
    'Desde 1848 una locomotora de vapor unía Barcelona y Mataró en media hora.',
    'línea de tren más antigua del país',
  ],
  [
    'Abejas en el jardín',
    'Quien planta lavanda, tomillo y flores silvestres y no usa veneno ayuda a los insectos a encontrar alimento.',
    '¿Qué plantas atraen a las abejas?',
  ],
  [
    'Un vehículo en Marte',
    'El robot perfora las rocas y busca huellas de vida antigua; sus fotos tardan veinte minutos en llegar a la Tierra.',
    'robot que busca vida en otro planeta',
  ],
  [
    'Cómo se hace el aceite de oliva',
    'Las aceitunas se cosechan en noviembre, se lavan, se muelen y se prensan en frío.',
    'elaboración del aceite a partir de aceitunas',
  ],
  [
    'Entrenar para el primer maratón',
    'Basta con correr cuatro veces por semana. La tirada larga del domingo crece poco a poco hasta los treinta y dos kilómetros.',
    'plan para correr 42 kilómetros',
  ],
  [
    'Remedios contra el insomnio',
    'Acuéstate siempre a la misma hora, deja el teléfono fuera del cuarto y no tomes café por la noche.',
    'no puedo dormir por la noche',
  ],
  [
    'El río se desborda',
    'Tras varios días de lluvia el Ebro inundó los campos; los sótanos se llenaron de agua y se cortaron carreteras.',
    'inundación por lluvias fuertes',
  ],
  [
    'El trabajo del soplador de vidrio',
    'Con una caña larga el artesano saca del horno la masa ardiente y con su aliento le da forma de jarrón.',
    '¿Cómo se hacen jarrones de vidrio?',
  ],
  [
    'Renovar el pasaporte',
    'Un pasaporte caducado no se prorroga: se pide uno nuevo. Lleva una foto y el documento anterior a la comisaría.',
    'mi pasaporte caducó, ¿dónde consigo otro?',
  ],
  [
    'Educar a un cachorro',
    'Premia al perro en cuanto se siente y practica cada día solo unos minutos.',
    'enseñar a un perro joven a obedecer',
  ],
  [
    'Tomates en el balcón',
    'Macetas grandes, seis horas de sol y agua cada mañana: así las plantas dan fruto hasta octubre.',
    'cultivar verduras en macetas',
  ],
  [
    'Fotografía nocturna',
    'Un trípode, una exposición larga y una sensibilidad baja dan imágenes nítidas de estrellas y luces.',
    'fotos nítidas del cielo estrellado',
  ],
  [
    'Impuestos para autónomos',
    'Quien trabaja por cuenta propia presenta la declaración en junio y deduce oficina, viajes y equipos.',
    '¿Qué gastos puede deducir un autónomo?',
  ],
  [
    'Una noche en el refugio de montaña',
    'Reserva con tiempo, lleva un saco ligero y sal hacia la cumbre antes del amanecer.',
    'dormir en los Pirineos durante una caminata',
  ],
];
