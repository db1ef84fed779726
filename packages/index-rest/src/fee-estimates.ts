import type { FeeEstimates } from "@nodewright/index-api/types";

/** The lowest rate that nodes relay, in satoshi per virtual byte. */
const lowestRate = 1;

/** What is estimated where nothing better is known. Esplora's targets, all of them: clients break on missing ones. */
export const lowestFeeEstimates: FeeEstimates = {
  "1": lowestRate,
  "2": lowestRate,
  "3": lowestRate,
  "4": lowestRate,
  "5": lowestRate,
  "6": lowestRate,
  "7": lowestRate,
  "8": lowestRate,
  "9": lowestRate,
  "10": lowestRate,
  "11": lowestRate,
  "12": lowestRate,
  "13": lowestRate,
  "14": lowestRate,
  "15": lowestRate,
  "16": lowestRate,
  "17": lowestRate,
  "18": lowestRate,
  "19": lowestRate,
  "20": lowestRate,
  "21": lowestRate,
  "22": lowestRate,
  "23": lowestRate,
  "24": lowestRate,
  "25": lowestRate,
  "144": lowestRate,
  "504": lowestRate,
  "1008": lowestRate,
};
