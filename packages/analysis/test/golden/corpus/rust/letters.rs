use std::io::{self, BufRead};
use std::str::FromStr;

#[derive(Debug, PartialEq)]
pub struct Address {
    street: String,
    number: u32,
    town: Option<String>,
}

#[derive(Debug, PartialEq)]
pub enum Fault {
    Empty,
    NoNumber(String),
    Long { most: usize, was: usize },
}

impl FromStr for Address {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Fault::Empty);
        }
        if text.len() > 120 {
            return Err(Fault::Long {
                most: 120,
                was: text.len(),
            });
        }
        let (line, town) = match text.split_once(',') {
            Some((line, town)) if !town.trim().is_empty() => (line, Some(town.trim().to_string())),
            Some((line, _)) => (line, None),
            None => (text, None),
        };
        let Some((street, number)) = line.rsplit_once(' ') else {
            return Err(Fault::NoNumber(line.to_string()));
        };
        let number = number
            .parse()
            .map_err(|_| Fault::NoNumber(number.to_string()))?;
        Ok(Address {
            street: street.to_string(),
            number,
            town,
        })
    }
}

pub fn read_all<R: BufRead>(source: R) -> io::Result<(Vec<Address>, Vec<(usize, Fault)>)> {
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let line = line?;
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        match line.parse::<Address>() {
            Ok(address) => good.push(address),
            Err(fault) => bad.push((index + 1, fault)),
        }
    }
    Ok((good, bad))
}

pub fn caesar(text: &str, shift: u8) -> String {
    text.chars()
        .map(|letter| match letter {
            'a'..='z' => ((letter as u8 - b'a' + shift) % 26 + b'a') as char,
            'A'..='Z' => ((letter as u8 - b'A' + shift) % 26 + b'A') as char,
            _ => letter,
        })
        .collect()
}

pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(last) = lines.last_mut() else {
            unreachable!()
        };
        if last.is_empty() {
            last.push_str(word);
        } else if last.len() + 1 + word.len() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

pub fn is_palindrome(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let (mut low, mut high) = (0, letters.len());
    while low + 1 < high {
        high -= 1;
        if !letters[low].eq_ignore_ascii_case(&letters[high]) {
            return false;
        }
        low += 1;
    }
    true
}

pub fn postage(grams: u32, is_abroad: bool, is_fast: bool) -> Result<u32, Fault> {
    let base = if grams <= 20 {
        95
    } else if grams <= 50 {
        110
    } else if grams <= 500 {
        180
    } else {
        return Err(Fault::Long {
            most: 500,
            was: grams as usize,
        });
    };
    let extra = if is_abroad {
        if is_fast { 400 } else { 120 }
    } else {
        0
    };
    Ok(base + extra)
}

pub fn matching(text: &str, open: char, close: char) -> Option<usize> {
    let mut level = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            level += 1;
        } else if letter == close {
            level = level.checked_sub(1)?;
            if level == 0 {
                return Some(at);
            }
        }
    }
    None
}

pub fn longest<'a>(one: &'a str, other: &'a str) -> &'a str {
    if one.len() >= other.len() { one } else { other }
}

pub unsafe fn first_byte(text: *const u8, length: usize) -> Option<u8> {
    if text.is_null() || length == 0 {
        None
    } else {
        Some(unsafe { *text })
    }
}

pub extern "C" fn add_checked(one: i32, other: i32) -> i32 {
    one.checked_add(other).unwrap_or(i32::MAX)
}

pub fn check(name: &str, age: u8, is_guest: bool) -> bool {
    assert!(!name.is_empty() && age < 150, "who is {name}?");
    let is_known = matches!(name, "ada" | "grace" if !is_guest);
    !(is_guest && age < 18) && (is_known || age > 20)
}

pub fn digits(mut number: u64, base: u64) -> Option<Vec<u64>> {
    if !(2..=36).contains(&base) {
        return None;
    }
    let mut found = vec![];
    let value = loop {
        found.push(number % base);
        number /= base;
        if number == 0 {
            break found;
        }
    };
    Some(value.into_iter().rev().collect())
}

pub fn search(grid: &[&[u8]], wanted: u8) -> Option<(usize, usize)> {
    let place = 'found: {
        for (y, row) in grid.iter().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                if cell == wanted {
                    break 'found Some((x, y));
                }
            }
        }
        None
    };
    place.filter(|&(x, y)| x > 0 || y > 0)
}

pub fn sum_of(texts: &[&str]) -> Result<i64, std::num::ParseIntError> {
    let mut sum = 0;
    for text in texts {
        sum += text.trim().parse::<i64>()?;
    }
    Ok(sum)
}

pub fn fibonacci(n: u32) -> u64 {
    match n {
        0 | 1 => n as u64,
        n => fibonacci(n - 1) + fibonacci(n - 2),
    }
}

pub fn counter(step: u32, most: u32) -> impl FnMut() -> Option<u32> {
    let mut at = 0;
    move || {
        if at + step > most {
            return None;
        }
        at += step;
        Some(at)
    }
}

pub fn names<I, S>(items: I) -> String
where
    I: IntoIterator<Item = S>,
    S: AsRef<str>,
{
    let mut joined = String::new();
    for item in items {
        if !joined.is_empty() {
            joined.push_str(" and ");
        }
        joined.push_str(item.as_ref());
    }
    joined
}

pub fn nothing() {}
