use std::collections::{BTreeMap, HashSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Plant {
    Bean,
    Carrot,
    Kale,
}

#[derive(Debug, Default)]
pub struct Bed {
    plants: BTreeMap<(usize, usize), Plant>,
    dry_days: u32,
    name: Option<String>,
}

const RESTING: Option<u32> = None;

impl Bed {
    pub fn plant(&mut self, row: usize, column: usize, plant: Plant) -> bool {
        if self.plants.contains_key(&(row, column)) {
            return false;
        }
        self.plants.insert((row, column), plant);
        true
    }

    pub fn neighbours(&self, row: usize, column: usize) -> Vec<Plant> {
        let mut found = Vec::new();
        for r in row.saturating_sub(1)..=row + 1 {
            for c in column.saturating_sub(1)..=column + 1 {
                if (r, c) == (row, column) {
                    continue;
                }
                if let Some(plant) = self.plants.get(&(r, c)) {
                    found.push(*plant);
                }
            }
        }
        found
    }

    pub fn needs_water(&self, is_hot: bool, rain: Option<u32>) -> bool {
        match rain {
            None => self.dry_days > 2 || is_hot && self.dry_days > 0,
            Some(0) => is_hot,
            Some(amount) => amount < 5 && is_hot,
        }
    }

    pub fn first_free(&self, rows: usize, columns: usize) -> Option<(usize, usize)> {
        let mut place = None;
        'rows: for row in 0..rows {
            for column in 0..columns {
                if !self.plants.contains_key(&(row, column)) {
                    place = Some((row, column));
                    break 'rows;
                }
                if row == column && self.dry_days > 10 {
                    continue 'rows;
                }
            }
        }
        place
    }

    pub fn title(&self) -> String {
        if let Some(name) = &self.name
            && !name.is_empty()
        {
            name.clone()
        } else {
            String::from("a bed")
        }
    }

    pub fn harvest(&mut self, wanted: &HashSet<Plant>) -> Vec<Plant> {
        let places: Vec<_> = self
            .plants
            .iter()
            .filter(|(_, plant)| wanted.contains(plant) || wanted.is_empty())
            .map(|(place, _)| *place)
            .collect();
        places
            .iter()
            .filter_map(|place| self.plants.remove(place))
            .collect()
    }

    pub async fn water(&mut self, tank: &mut Tank) -> Result<u32, Empty> {
        let mut used = 0;
        while used < self.plants.len() as u32 {
            tank.take(1).await?;
            used += 1;
        }
        self.dry_days = 0;
        Ok(used)
    }

    fn settle(&mut self, days: u32) -> u32 {
        if days == 0 {
            return self.dry_days;
        }
        self.dry_days += 1;
        self.settle(days - 1)
    }

    fn halve(days: u32) -> u32 {
        if days > 1 {
            Self::halve(days / 2)
        } else {
            days
        }
    }
}

pub struct Tank {
    litres: u32,
}

#[derive(Debug)]
pub struct Empty;

impl Tank {
    pub async fn take(&mut self, litres: u32) -> Result<(), Empty> {
        self.litres = self.litres.checked_sub(litres).ok_or(Empty)?;
        Ok(())
    }

    pub fn fill(mut self, litres: u32, most: u32) -> Self {
        self.litres += litres;
        if self.litres > most {
            self.litres = most;
        }
        self
    }
}

mod moon {
    pub fn phase(day: u32) -> &'static str {
        match day % 28 {
            0 => "new",
            1..=6 => "waxing crescent",
            7 => "first quarter",
            8 | 9 | 10 | 11 | 12 | 13 => "waxing gibbous",
            14 => "full",
            _ => "waning",
        }
    }

    pub fn next_full(day: u32) -> u32 {
        let mut day = day;
        loop {
            if phase(day) == "full" {
                return day;
            }
            day += 1;
        }
    }
}

fn rest_days(days: Option<u32>) -> u32 {
    match days {
        RESTING => 0,
        Some(ref days) => *days,
        None => 7,
    }
}

fn score(bed: &Bed, weights: &[(Plant, i32)]) -> i32 {
    fn weight(plant: Plant, weights: &[(Plant, i32)]) -> i32 {
        for (each, weight) in weights {
            if *each == plant {
                return *weight;
            }
        }
        1
    }
    let mut total = 0;
    for plant in bed.plants.values() {
        total += weight(*plant, weights);
    }
    total
}

static WATERS_BY_HAND: fn(u32) -> bool = |days| days > 3 && days < 30;
