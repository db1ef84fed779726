// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A ledger of points that its owner awards and holders pass on: enough to leave logs, keep storage and refuse calls.
contract PointsLedger {
    /// Points went from one holder to another; from the zero address when they were awarded.
    event Moved(address indexed from, address indexed to, uint256 points);

    /// Somebody wrote a remark. The text is not indexed.
    event Remarked(uint256 indexed number, address indexed author, string text);

    error NotEnoughPoints(uint256 asked, uint256 held);

    address public immutable owner;
    uint256 public remarks;
    mapping(address => uint256) public pointsOf;

    constructor() {
        owner = msg.sender;
    }

    function award(address to, uint256 points) external {
        require(msg.sender == owner, "Only the owner awards points");
        pointsOf[to] += points;
        emit Moved(address(0), to, points);
    }

    function move(address to, uint256 points) external {
        uint256 held = pointsOf[msg.sender];
        if (points > held) revert NotEnoughPoints(points, held);
        pointsOf[msg.sender] = held - points;
        pointsOf[to] += points;
        emit Moved(msg.sender, to, points);
    }

    /// Moves the same number of points to each of several holders, leaving one log per holder.
    function share(address[] calldata holders, uint256 points) external {
        uint256 asked = holders.length * points;
        uint256 held = pointsOf[msg.sender];
        if (asked > held) revert NotEnoughPoints(asked, held);
        pointsOf[msg.sender] = held - asked;
        for (uint256 position = 0; position < holders.length; position++) {
            pointsOf[holders[position]] += points;
            emit Moved(msg.sender, holders[position], points);
        }
    }

    function remark(string calldata text) external returns (uint256 number) {
        number = ++remarks;
        emit Remarked(number, msg.sender, text);
    }
}
